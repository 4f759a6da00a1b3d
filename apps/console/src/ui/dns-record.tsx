import { Skeleton } from "@mantine/core";
import { Trans } from "@lingui/react/macro";
import { CopyButton } from "./copy-button.tsx";
import classes from "./dns-record.module.css";

export interface DnsRecordField {
  readonly label: string;
  /** Null while it is not known yet. */
  readonly value: string | null;
  /** What the copy button says it copies. */
  readonly copy: string;
}

/** A record to create at a DNS provider, every part with a button to copy it. */
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
