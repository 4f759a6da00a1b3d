import { Trans, useLingui } from "@lingui/react/macro";
import { countryName } from "@palisade/contract/http/country-rules";
import type { InvoiceDetail } from "@palisade/contract/http/invoices";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { euros, fullTime, taxRate, utcDay } from "#src/lib/format.ts";
import { paths } from "#src/lib/paths.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { TextButton } from "#src/ui/text-button.tsx";
import { SandboxBadge } from "../sandbox-badge.tsx";
import { documentMethodLabels, supplyLabels } from "./labels.ts";
import classes from "./invoices.module.css";

interface InvoiceDetailsProps {
  readonly invoice: InvoiceDetail;
  /** Opens the document that this one corrects. */
  readonly onOpen: (id: string) => void;
}

/** The contents of the PDF, for reading. */
export function InvoiceDetails({ invoice, onOpen }: InvoiceDetailsProps) {
  const { t, i18n } = useLingui();
  const { corrects, number, period } = invoice;
  return (
    <div className={classes["details"]}>
      {invoice.is_sandbox ? (
        <p className={classes["sandbox"]}>
          <SandboxBadge />
          <Trans>No money has moved, and this document is only a sample.</Trans>
        </p>
      ) : null}
      <dl className={classes["entries"]}>
        <Entry name={t`Number`}>
          <span className="mono">{number}</span>
          <CopyButton value={number} label={t`Copy ${number}`} />
        </Entry>
        <Entry name={t`Date of issue`}>
          <Day at={invoice.issued_at} />
        </Entry>
        <Entry name={i18n._(supplyLabels[invoice.kind])}>
          <Day at={invoice.supplied_at} />
        </Entry>
        <Entry name={t`Payment method`}>
          {i18n._(documentMethodLabels[invoice.payment_method])}
        </Entry>
        {corrects === null ? null : (
          <Entry name={t`Corrects`}>
            <span className="mono">
              <TextButton onClick={() => onOpen(corrects.id)}>{corrects.number}</TextButton>
            </span>
          </Entry>
        )}
      </dl>
      <Sums invoice={invoice}>
        <p className={classes["subject"]}>{invoice.description}</p>
        {period === null ? null : (
          <p className={classes["period"]}>
            <Day at={period.starts_at} /> – <Day at={period.ends_at} />
          </p>
        )}
      </Sums>
      <Parties invoice={invoice} />
      <p className={classes["frozen"]}>
        <Trans>
          The document keeps the buyer’s details as they were at the payment. Changes of{" "}
          <Link to={paths.profile}>your profile</Link> appear on later documents.
        </Trans>
      </p>
    </div>
  );
}

function Entry({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Day({ at }: { at: string }) {
  const { locale } = useLocale();
  const date = new Date(at);
  return (
    <time dateTime={at} title={fullTime(locale, date)}>
      {utcDay(locale, date)}
    </time>
  );
}

function Sums({ invoice, children }: { invoice: InvoiceDetail; children: ReactNode }) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const { vat } = invoice;
  const rate = taxRate(locale, vat.rate);
  return (
    <section className={classes["line-item"]} aria-label={t`Amounts`}>
      {children}
      <dl className={classes["sum"]}>
        <Entry name={t`Net`}>{euros(locale, invoice.net_cents)}</Entry>
        <Entry name={t`VAT ${rate}`}>{euros(locale, invoice.tax_cents)}</Entry>
        <Entry name={t`Total`}>{euros(locale, invoice.total_cents)}</Entry>
      </dl>
      {vat.note === null ? null : <p className={classes["note"]}>{vat.note}</p>}
    </section>
  );
}

function Parties({ invoice: { seller, buyer } }: { invoice: InvoiceDetail }) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const vatId = (id: string | null) => (id === null ? null : `${t`VAT ID`}: ${id}`);
  const country = seller.country === null ? null : countryName(seller.country, locale);
  return (
    <div className={classes["parties"]}>
      <Party
        title={t`Seller`}
        lines={[seller.name, seller.address, country, seller.email, vatId(seller.vat_id)]}
      />
      <Party
        title={t`Buyer`}
        lines={[buyer.company_name, buyer.name, ...buyer.address, buyer.email, vatId(buyer.vat_id)]}
      />
    </div>
  );
}

function Party({ title, lines }: { title: string; lines: readonly (string | null)[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <p>{lines.filter((line) => line !== null && line !== "").join("\n")}</p>
    </section>
  );
}
