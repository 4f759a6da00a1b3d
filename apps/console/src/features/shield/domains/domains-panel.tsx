import { Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { ShieldDomain, ShieldDomains } from "@palisade/contract/http/domains";
import type { Server } from "@palisade/contract/http/servers";
import { useQuery } from "@tanstack/react-query";
import { IconInfoCircle, IconPlus, IconWorld } from "@tabler/icons-react";
import { useState } from "react";
import { ActionButton } from "#src/ui/action-button.tsx";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { useMayChange } from "../may-change.ts";
import type { Change } from "../receipt.tsx";
import { UpgradeNotice } from "../plan-change/upgrade-notice.tsx";
import { AddDomainDialog } from "./add-domain-dialog.tsx";
import { DomainItem } from "./domain-item.tsx";
import { domainsQuery } from "./domains.queries.ts";
import classes from "./domains.module.css";
import { RecordsDialog } from "./records-dialog.tsx";
import { useDomains } from "./use-domains.ts";

interface DomainsPanelProps {
  readonly shield: Server;
  readonly onChange: (change: Change) => void;
}

/** The open dialog: a new domain, or the records of one. */
type Open = { readonly kind: "add" } | { readonly kind: "records"; readonly domainId: string };

export function DomainsPanel({ shield, onChange }: DomainsPanelProps) {
  const { t } = useLingui();
  const mayChange = useMayChange();
  const query = useQuery(domainsQuery(shield.id));
  const changes = useDomains(shield.id, onChange);
  const [open, setOpen] = useState<Open | null>(null);
  const { data } = query;
  const isFull = data !== undefined && data.domains.length >= data.domains_max;
  const close = () => setOpen(null);

  return (
    <Panel
      prominent
      title={<Trans>Domains</Trans>}
      aside={
        mayChange ? (
          <ActionButton
            size="xs"
            leftSection={<IconPlus size={15} stroke={1.8} aria-hidden="true" />}
            disabled={data === undefined || isFull}
            onClick={() => setOpen({ kind: "add" })}
          >
            <Trans>Add domain</Trans>
          </ActionButton>
        ) : null
      }
    >
      {data && isFull && mayChange ? <PlanLimit max={data.domains_max} shield={shield} /> : null}
      {data ? (
        <Domains
          list={data}
          changes={changes}
          onRecords={({ id }) => setOpen({ kind: "records", domainId: id })}
        />
      ) : query.isPending ? (
        <LoadingRegion className={classes["skeletons"]}>
          <Skeleton height={44} radius={8} />
          <Skeleton height={44} radius={8} />
        </LoadingRegion>
      ) : (
        <ErrorState
          error={query.error}
          title={t`Failed to fetch domains`}
          onRetry={() => void query.refetch()}
        />
      )}
      {open?.kind === "add" && data ? (
        <AddDomainDialog
          cname={data.cname_record}
          add={changes.add}
          onClose={close}
          onAdded={({ id }) => setOpen({ kind: "records", domainId: id })}
        />
      ) : null}
      {open?.kind === "records" ? (
        <RecordsDialog
          shieldId={shield.id}
          domainId={open.domainId}
          onClose={close}
          onChange={onChange}
        />
      ) : null}
    </Panel>
  );
}

interface DomainsProps {
  readonly list: ShieldDomains;
  readonly changes: ReturnType<typeof useDomains>;
  readonly onRecords: (domain: ShieldDomain) => void;
}

function Domains({ list, changes, onRecords }: DomainsProps) {
  const { t } = useLingui();
  if (list.domains.length === 0) {
    return (
      <EmptyState
        compact
        icon={<IconWorld size={22} stroke={1.6} />}
        title={t`No domains added yet.`}
        text={<Trans>Add the address players type to join. A subdomain of your own is best.</Trans>}
      />
    );
  }
  return (
    <ul className={classes["list"]} aria-label={t`Domains`}>
      {list.domains.map((domain) => (
        <DomainItem
          key={domain.id}
          domain={domain}
          groups={list.groups}
          changes={changes}
          onRecords={() => onRecords(domain)}
        />
      ))}
    </ul>
  );
}

function PlanLimit({ max, shield }: { max: number; shield: Server }) {
  const plan = shield.pricing_plan.name;
  return (
    <div className={classes["limit"]}>
      <UpgradeNotice
        shield={shield}
        icon={<IconInfoCircle size={17} stroke={1.6} aria-hidden="true" />}
        has={({ domains_max }) => domains_max > max}
      >
        <Trans>
          All domains of the plan {plan} are in use: {max}. Delete one to add another; a larger plan
          allows more.
        </Trans>
      </UpgradeNotice>
    </div>
  );
}
