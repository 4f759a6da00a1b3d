import { Trans } from "@lingui/react/macro";
import type { DnsCheck, DnsRecord } from "@palisade/contract/http/server-setup";
import { IconAlertTriangle, IconClock, IconHelpCircle } from "@tabler/icons-react";
import { Banner } from "./banner.tsx";
import classes from "./dns-diagnosis.module.css";

interface DnsDiagnosisProps {
  readonly check: DnsCheck;
  /** The selected record type, if there is a choice. */
  readonly type?: "CNAME" | "SRV" | "TXT";
}

/** Shows found and expected records. A failed resolver says nothing about the record. */
export function DnsDiagnosis({ check, type }: DnsDiagnosisProps) {
  const { diagnosis, found } = check;
  const expected =
    [check.expected, ...check.alternatives].find((record) => record.type === type) ??
    check.expected;
  // A new domain that waits for its first record is not an error.
  const isWaiting = type !== undefined && diagnosis.code === "missing";
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
      tone={isWaiting ? "neutral" : "attack"}
      live={isWaiting ? "polite" : "assertive"}
      icon={
        isWaiting ? (
          <IconClock size={17} stroke={1.6} aria-hidden="true" />
        ) : (
          <IconAlertTriangle size={17} stroke={1.6} aria-hidden="true" />
        )
      }
    >
      <strong>
        {check.expected.type === "TXT" ? (
          <Trans>No matching record yet.</Trans>
        ) : expected.type === "CNAME" ? (
          <Trans>CNAME record is not set up correctly.</Trans>
        ) : (
          <Trans>No matching record yet: CNAME, SRV or TXT is enough.</Trans>
        )}
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
