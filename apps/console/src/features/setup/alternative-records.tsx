import { Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { DnsRecord as Wanted } from "@palisade/contract/http/server-setup";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { dnsQuery } from "#src/api/domain-checks.ts";
import { DnsRecord } from "#src/ui/dns-record.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { useRecordLabels } from "#src/ui/record-labels.ts";
import classes from "./setup.module.css";
import { parseSrvRecord } from "./srv-record.ts";

/** Records for domains that cannot have a CNAME; the server provides their values. */
export function AlternativeRecords({ domain, target }: { domain: string; target: string }) {
  const [opened, setOpened] = useState(false);
  return (
    <details
      className={classes["details"]}
      onToggle={({ currentTarget }) => setOpened(currentTarget.open)}
    >
      <summary>
        <Trans>No CNAME possible? Use an SRV or TXT record</Trans>
      </summary>
      {opened ? <Records domain={domain} target={target} /> : null}
    </details>
  );
}

function Records({ domain, target }: { domain: string; target: string }) {
  const { t } = useLingui();
  const query = useQuery(dnsQuery(domain, target));
  if (query.data) {
    return (
      <div className={classes["fields"]}>
        {query.data.alternatives.map((record) => (
          <AlternativeRecord key={record.type} record={record} />
        ))}
      </div>
    );
  }
  if (query.isPending) {
    return (
      <LoadingRegion>
        <Skeleton height={120} radius={8} />
      </LoadingRegion>
    );
  }
  return (
    <ErrorState
      error={query.error}
      title={t`Error checking CNAME`}
      onRetry={() => void query.refetch()}
    />
  );
}

function AlternativeRecord({ record }: { record: Wanted }) {
  const { t } = useLingui();
  const labels = useRecordLabels();
  const parts = parseSrvRecord(record) ?? [
    { name: "name" as const, value: record.name },
    { name: "value" as const, value: record.value },
  ];
  const type = record.type;
  return (
    <div>
      <p className={classes["hint"]}>
        {type === "SRV" ? (
          <Trans>
            SRV: leads Java players to the shield, even if the domain has other records.
          </Trans>
        ) : (
          <Trans>TXT: proves the domain is yours if you keep your own address records.</Trans>
        )}
      </p>
      <DnsRecord
        type={type}
        parts={parts.map(({ name: part, value }) => {
          const label = labels[part];
          return { label, value, copy: t`Copy ${type}: ${label}` };
        })}
      />
    </div>
  );
}
