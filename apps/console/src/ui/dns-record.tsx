import { Skeleton } from "@mantine/core";
import { Trans } from "@lingui/react/macro";
import { CopyButton } from "./copy-button.tsx";
import classes from "./dns-record.module.css";

export interface DnsRecordField {
  readonly label: string;
  /** Null while unknown. */
  readonly value: string | null;
  /** Label of the copy button. */
  readonly copy: string;
}

/** A record to create at a DNS provider; each field has a copy button. */
export function DnsRecord({ type, parts }: { type: string; parts: readonly DnsRecordField[] }) {
  return (
    <dl className={classes["record"]}>
      <div>
        <dt>
          <Trans>Type</Trans>
        </dt>
        <dd>
          <span className={classes["type"]}>{type}</span>
        </dd>
      </div>
      {parts.map(({ label, value, copy }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {value === null ? (
              <Skeleton width={210} height={14} />
            ) : (
              <>
                <span className="mono">{value}</span>
                <CopyButton value={value} label={copy} />
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
