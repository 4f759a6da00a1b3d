import { Skeleton } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import type { Server } from "@palisade/contract/http/servers";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { paths } from "#src/lib/paths.ts";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { TabLinks } from "#src/ui/tab-links.tsx";
import { useMayChange } from "../may-change.ts";
import type { Change } from "../receipt.tsx";
import { firewallQuery } from "../shield.queries.ts";
import { AddEntry } from "./add-entry.tsx";
import { ConflictPanel } from "./conflict-panel.tsx";
import { EntryTable } from "./entry-table.tsx";
import { entriesOf, type ListType } from "./firewall-diff.ts";
import classes from "./firewall.module.css";
import { ListActions } from "./list-actions.tsx";
import { MaintenanceWarning } from "./maintenance-warning.tsx";
import { KickMessagePanel } from "./kick-message-panel.tsx";
import { NetworkRulesPanel } from "./networks/network-rules-panel.tsx";
import { TogglesPanel } from "./toggles-panel.tsx";
import { useEntries } from "./use-entries.ts";
import { useLists } from "./use-lists.ts";
import { useToggles } from "./use-toggles.ts";

interface FirewallSectionProps {
  readonly shield: Server;
  readonly onChange: (change: Change) => void;
}

export function FirewallSection({ shield, onChange }: FirewallSectionProps) {
  const { t } = useLingui();
  const { tab } = useSearch({ from: paths.shield });
  const mayChange = useMayChange();
  const list: ListType = tab === "whitelist" ? "whitelist" : "blacklist";
  const query = useQuery(firewallQuery(shield.id));
  const toggles = useToggles(shield.id, onChange);
  const { add, change, remove } = useEntries(shield.id, list, onChange);
  const whitelist = useEntries(shield.id, "whitelist", onChange);
  const lists = useLists(shield.id, list, onChange);

  if (query.isPending) return <FirewallSkeleton />;
  // No defaults here: a switch would write them.
  if (!query.data) {
    return (
      <Panel>
        <ErrorState
          error={query.error}
          title={t`Error fetching firewall data`}
          onRetry={() => void query.refetch()}
        />
      </Panel>
    );
  }

  const firewall = query.data.value;
  const labels = { blacklist: t`Blacklist`, whitelist: t`Whitelist` };
  return (
    <div className={classes["section"]}>
      {toggles.conflict ? (
        <ConflictPanel
          conflict={toggles.conflict}
          onKeep={toggles.dropConflict}
          onApply={() => toggles.conflict && toggles.toggle(toggles.conflict.change)}
        />
      ) : null}
      <MaintenanceWarning
        firewall={firewall}
        onAddOwn={(ip) => whitelist.restore.mutate({ ip, note: "", expires_at: null })}
      />
      <TogglesPanel firewall={firewall} locked={toggles.locked} onToggle={toggles.toggle} />
      <div className={classes["columns"]}>
        <Panel>
          <TabLinks
            label={t`Lists`}
            current={list}
            tabs={(["blacklist", "whitelist"] as const).map((name) => ({
              name,
              label: labels[name],
              count: entriesOf(firewall, name).length,
            }))}
          />
          {mayChange ? <AddEntry key={list} list={list} add={add} /> : null}
          <ListActions
            key={`${list} tools`}
            list={list}
            size={entriesOf(firewall, list).length}
            lists={lists}
          />
          <EntryTable
            key={`${list} table`}
            entries={entriesOf(firewall, list)}
            label={labels[list]}
            remove={remove}
            change={change}
          />
        </Panel>
        <KickMessagePanel shieldId={shield.id} list={list} />
      </div>
      <NetworkRulesPanel shieldId={shield.id} onChange={onChange} />
    </div>
  );
}

function FirewallSkeleton() {
  return (
    <LoadingRegion className={classes["section"]}>
      <Skeleton height={176} radius={10} />
      <Skeleton height={300} radius={10} />
    </LoadingRegion>
  );
}
