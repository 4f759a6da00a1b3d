import { Trans } from "@lingui/react/macro";
import type { DnsCheck, DnsRecord } from "@palisade/contract/http/server-setup";
import { IconAlertTriangle, IconHelpCircle } from "@tabler/icons-react";
import { Banner } from "./banner.tsx";
import classes from "./dns-diagnosis.module.css";

/** Found X, expected Y; a resolver that failed says nothing about the record (fault 58). */
export function DnsDiagnosis({ check }: { check: DnsCheck }) {
  const { diagnosis, found, expected } = check;
  if (diagnosis.code === "unknown") {
    return (
      <Banner
        tone="neutral"
        live="assertive"
        icon={<IconHelpCircle size={17} stroke={1.6} aria-hidden="true" />}
      >
        {diagnosis.message}
      </Banner>
    );
  }
  return (
    <Banner
      tone="attack"
      live="assertive"
      icon={<IconAlertTriangle size={17} stroke={1.6} aria-hidden="true" />}
    >
      <strong>
        <Trans>CNAME record is not set up correctly.</Trans>
      </strong>
      <br />
      {diagnosis.message}
      <dl className={classes["compare"]}>
        <dt>
          <Trans>Found</Trans>
        </dt>
        <dd>
          {found.length === 0 ? (
            <Trans>no record</Trans>
          ) : (
            found.map((record) => <RecordLine key={`${record.type}${record.value}`} {...record} />)
          )}
        </dd>
        <dt>
          <Trans>Expected</Trans>
        </dt>
        <dd>
          <RecordLine {...expected} />
        </dd>
      </dl>
    </Banner>
  );
}

function RecordLine({ type, value }: DnsRecord) {
  return (
    <span className="mono">
      {type} {value}
    </span>
  );
}
