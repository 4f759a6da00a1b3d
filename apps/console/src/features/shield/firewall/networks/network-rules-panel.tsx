import { Button, Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { type NetworkRuleList, networkRulesMax } from "@palisade/contract/http/network-rules";
import { IconDatabaseOff, IconMap2, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Banner } from "#src/ui/banner.tsx";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { useMayChange } from "../../may-change.ts";
import type { Change } from "../../receipt.tsx";
import { AddRuleDialog } from "./add-rule-dialog.tsx";
import { networkRulesQuery } from "./network-rules.queries.ts";
import classes from "./networks.module.css";
import { RuleTable } from "./rule-table.tsx";
import { useNetworkRules } from "./use-network-rules.ts";

interface NetworkRulesPanelProps {
  readonly shieldId: string;
  readonly onChange: (change: Change) => void;
}

/** Rules by where players come from. */
export function NetworkRulesPanel({ shieldId, onChange }: NetworkRulesPanelProps) {
  const { t } = useLingui();
  const mayChange = useMayChange();
  const query = useQuery(networkRulesQuery(shieldId));
  const { add, remove } = useNetworkRules(shieldId, onChange);
  const [isAdding, setAdding] = useState(false);
  const rules = query.data?.rules;
  const isFull = (rules?.length ?? 0) >= networkRulesMax;
  const addButton =
    mayChange && query.data ? (
      <Button
        size="sm"
        variant="default"
        leftSection={<IconPlus size={15} stroke={1.8} />}
        disabled={isFull}
        onClick={() => setAdding(true)}
      >
        <Trans>Add rule</Trans>
      </Button>
    ) : null;
  return (
    <Panel
      prominent
      title={t`Countries and networks`}
      note={t`Decide by where a player comes from. A network's rule wins over its country's; your lists win over both.`}
      aside={rules !== undefined && rules.length > 0 ? addButton : null}
    >
      {query.isPending ? (
        <LoadingRegion>
          <Skeleton height={148} radius={8} />
        </LoadingRegion>
      ) : query.data === undefined ? (
        <ErrorState
          error={query.error}
          title={t`Error fetching the rules`}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <>
          <DatabaseNote {...query.data} />
          {query.data.rules.length === 0 ? (
            <Empty databases={query.data.databases} action={addButton} />
          ) : (
            <RuleTable
              rules={query.data.rules}
              removing={remove.isPending ? remove.variables.id : null}
              onRemove={remove.mutate}
            />
          )}
        </>
      )}
      {isAdding ? <AddRuleDialog add={add} onClose={() => setAdding(false)} /> : null}
    </Panel>
  );
}

/** Rules that have no effect, because no database tells where players come from. */
function DatabaseNote({ rules, databases }: NetworkRuleList) {
  const lacksCountries = !databases.countries && rules.some(({ country }) => country !== null);
  const lacksNetworks = !databases.networks && rules.some(({ asn }) => asn !== null);
  if (!lacksCountries && !lacksNetworks) return null;
  return (
    <div className={classes["banner"]}>
      <Banner tone="attack" icon={<IconDatabaseOff size={18} stroke={1.6} />}>
        {lacksCountries && lacksNetworks ? (
          <Trans>
            The operator has installed no databases of addresses, so these rules have no effect.
          </Trans>
        ) : lacksCountries ? (
          <Trans>
            The operator has installed no database of countries, so rules for countries have no
            effect.
          </Trans>
        ) : (
          <Trans>
            The operator has installed no database of networks, so rules for networks have no
            effect.
          </Trans>
        )}
      </Banner>
    </div>
  );
}

function Empty({
  databases,
  action,
}: Pick<NetworkRuleList, "databases"> & { readonly action: ReactNode }) {
  const { t } = useLingui();
  const isKnown = databases.countries || databases.networks;
  return isKnown ? (
    <EmptyState
      compact
      icon={<IconMap2 size={22} stroke={1.6} />}
      title={t`No rules yet`}
      text={
        <Trans>
          Block the country that an attack comes from, challenge players of a hosting company, or
          exempt the network of your own players from the VPN check.
        </Trans>
      }
      action={action}
    />
  ) : (
    <EmptyState
      compact
      icon={<IconDatabaseOff size={22} stroke={1.6} />}
      title={t`No databases of addresses`}
      text={
        <Trans>
          The operator has installed no databases that tell countries and networks of addresses.
          Rules can be added, and have an effect once there are some.
        </Trans>
      }
      action={action}
    />
  );
}
