import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { operator } from "../operator.ts";
import { Footer } from "../page/footer.tsx";
import { Header } from "../page/header.tsx";
import classes from "./legal.module.css";

/** The month is the version that registration keeps with an acceptance: change both together. */
const asOf = new Date("2026-11-01T00:00:00Z");

interface LegalLayoutProps {
  readonly title: string;
  readonly locale: string;
  readonly children: ReactNode;
}

export function LegalLayout({ title, locale, children }: LegalLayoutProps) {
  const date = asOf.toLocaleDateString(locale, { dateStyle: "long", timeZone: "UTC" });
  return (
    <>
      <Header />
      <main id="content" className={classes["legal"]}>
        <h1>{title}</h1>
        <p className={classes["date"]}>
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

/** Who answers for the service, as the operator has configured it. */
export function OperatorCard() {
  return (
    <address className={classes["operator"]}>
      <strong>{operator.name}</strong>
      <span>{operator.address}</span>
      <a href={`mailto:${operator.email}`}>{operator.email}</a>
    </address>
  );
}
