import type { MessageDescriptor } from "@lingui/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { privacyVersion } from "@palisade/contract/privacy-version";
import type { ReactNode } from "react";
import { operator } from "../operator.ts";
import { Footer } from "../page/footer.tsx";
import { Header } from "../page/header.tsx";
import classes from "./legal.module.css";

const asOf = new Date(`${privacyVersion}-01T00:00:00Z`);

interface LegalLayoutProps {
  readonly title: MessageDescriptor;
  readonly children: ReactNode;
}

export function LegalLayout({ title, children }: LegalLayoutProps) {
  const { i18n } = useLingui();
  // British for English, as everywhere in the console: the day before the month.
  const dateTag = i18n.locale === "ru" ? "ru-RU" : "en-GB";
  const date = asOf.toLocaleDateString(dateTag, { dateStyle: "long", timeZone: "UTC" });
  return (
    <>
      <Header />
      <main id="content" className={classes["legal"]}>
        <h1>{i18n._(title)}</h1>
        {/* Browsers differ in how they write a date. */}
        <p className={classes["date"]} suppressHydrationWarning>
          <Trans>As of {date}</Trans>
        </p>
        {children}
      </main>
      <Footer />
    </>
  );
}

export function Article({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Name and addresses of the operator, from the settings of this installation. */
export function OperatorCard() {
  return (
    <address className={classes["operator"]}>
      <strong>{operator.name}</strong>
      <span>{operator.address}</span>
      <a href={`mailto:${operator.email}`}>{operator.email}</a>
    </address>
  );
}
