import { Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { IconCircleCheck } from "@tabler/icons-react";
import { dnsQuery, domainQuery } from "#src/api/domain-checks.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Banner } from "#src/ui/banner.tsx";
import { DnsRecord } from "#src/ui/dns-record.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { useRecordLabels } from "#src/ui/record-labels.ts";
import classes from "./domains.module.css";

interface WildcardProofProps {
  readonly wildcard: string;
  readonly cname: string;
  readonly onProven: () => void;
}

/** A wildcard requires proof of the domain itself. */
export function WildcardProof({ wildcard, cname, onProven }: WildcardProofProps) {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const labels = useRecordLabels();
  const parent = wildcard.slice(2);
  const query = useQuery(dnsQuery(parent, cname));
  const txt = query.data?.alternatives.find(({ type }) => type === "TXT");

  async function look() {
    const { data } = await query.refetch();
    if (data?.verified !== true) return;
    onProven();
    await queryClient.refetchQueries({ queryKey: domainQuery(wildcard).queryKey });
  }

  if (query.isPending) {
    return (
      <LoadingRegion>
        <Skeleton height={100} radius={8} />
      </LoadingRegion>
    );
  }
  if (txt === undefined) {
    return (
      <ErrorState
        compact
        error={query.error}
        title={t`Error checking CNAME`}
        onRetry={() => void query.refetch()}
      />
    );
  }
  return (
    <div className={classes["fields"]}>
      <p>
        <Trans>
          Create this TXT record to prove that <span className="mono">{parent}</span> is yours.
        </Trans>
      </p>
      <DnsRecord
        type="TXT"
        parts={(["name", "value"] as const).map((part) => {
          const label = labels[part];
          return { label, value: txt[part], copy: t`Copy TXT: ${label}` };
        })}
      />
      <div className={classes["check"]}>
        <ActionButton
          variant="default"
          size="xs"
          loading={query.isFetching}
          onClick={() => void look()}
        >
          <Trans>Check now</Trans>
        </ActionButton>
        {query.data?.verified ? null : <span role="status">{query.data?.diagnosis.message}</span>}
      </div>
      {query.data?.verified ? (
        <Banner
          tone="protected"
          live="polite"
          icon={<IconCircleCheck size={17} stroke={1.6} aria-hidden="true" />}
        >
          <Trans>The domain is proven. You can add the wildcard now.</Trans>
        </Banner>
      ) : null}
    </div>
  );
}
