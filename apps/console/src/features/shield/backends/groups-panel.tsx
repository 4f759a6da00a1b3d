import { Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { BackendGroup, BackendServer } from "@palisade/contract/http/backends";
import type { Server } from "@palisade/contract/http/servers";
import { useQuery } from "@tanstack/react-query";
import { IconInfoCircle, IconPlus, IconServer2 } from "@tabler/icons-react";
import { useState } from "react";
import { ActionButton } from "#src/ui/action-button.tsx";
import { ConfirmDialog } from "#src/ui/confirm-dialog.tsx";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { useMayChange } from "../may-change.ts";
import type { Change } from "../receipt.tsx";
import { UpgradeNotice } from "../plan-change/upgrade-notice.tsx";
import classes from "./backends.module.css";
import { backendsQuery } from "./backends.queries.ts";
import { GroupDialog } from "./group-dialog.tsx";
import { GroupItem } from "./group-item.tsx";
import { ProofDialog } from "./proof-dialog.tsx";
import { ServerDialog } from "./server-dialog.tsx";
import { useBackends } from "./use-backends.ts";

/** The open dialog. It keeps the group as it was when it opened, so a refresh changes nothing. */
type Open =
  | { readonly kind: "create" }
  | { readonly kind: "edit" | "delete"; readonly group: BackendGroup }
  | { readonly kind: "proof"; readonly group: BackendGroup; readonly server: BackendServer }
  | { readonly kind: "server"; readonly group: BackendGroup; readonly server?: BackendServer };

export function GroupsPanel(props: {
  readonly shield: Server;
  readonly onChange: (change: Change) => void;
}) {
  const { shield } = props;
  const { t } = useLingui();
  const mayChange = useMayChange();
  const query = useQuery(backendsQuery(shield.id));
  const changes = useBackends(shield.id, props.onChange);
  const [dialog, setDialog] = useState<Open | null>(null);
  // The one open group. Undefined until the user chooses: the first is open. Null: all are closed.
  const [chosen, setChosen] = useState<string | null | undefined>(undefined);
  const { data } = query;
  const groups = data?.backends ?? [];
  const isFull = data !== undefined && groups.length >= data.groups_max;
  const opened = chosen === undefined ? groups[0]?.id : chosen;
  const close = () => setDialog(null);

  return (
    <Panel
      prominent
      title={<Trans>Backend groups</Trans>}
      aside={
        mayChange ? (
          <ActionButton
            size="xs"
            leftSection={<IconPlus size={15} stroke={1.8} aria-hidden="true" />}
            disabled={data === undefined || isFull}
            onClick={() => setDialog({ kind: "create" })}
          >
            <Trans>Create group</Trans>
          </ActionButton>
        ) : null
      }
    >
      {isFull && mayChange ? <PlanLimit max={data.groups_max} shield={shield} /> : null}
      {query.isPending ? <GroupsSkeleton /> : null}
      {!data && !query.isPending ? (
        <ErrorState
          error={query.error}
          title={t`Failed to fetch server backends`}
          onRetry={() => void query.refetch()}
        />
      ) : null}
      {data && groups.length === 0 ? (
        <EmptyState
          compact
          icon={<IconServer2 size={22} stroke={1.6} />}
          title={t`No backends available.`}
          text={<Trans>Create a group and add the address of your game server to it.</Trans>}
        />
      ) : null}
      <ul className={classes["groups"]} aria-label={t`Backend groups`}>
        {groups.map((group) => (
          <GroupItem
            key={group.id}
            group={group}
            isOpen={group.id === opened}
            isOnly={groups.length === 1}
            changes={changes}
            onToggle={() => setChosen(group.id === opened ? null : group.id)}
            onEdit={() => setDialog({ kind: "edit", group })}
            onDelete={() => setDialog({ kind: "delete", group })}
            onProve={(server) => setDialog({ kind: "proof", group, server })}
            onServer={(edited) =>
              setDialog({ kind: "server", group, ...(edited ? { server: edited } : {}) })
            }
          />
        ))}
      </ul>
      {data && (dialog?.kind === "create" || dialog?.kind === "edit") ? (
        <GroupDialog
          group={dialog.kind === "edit" ? dialog.group : null}
          regions={data.available_regions}
          changes={changes}
          onClose={close}
          onCreated={setChosen}
        />
      ) : null}
      {data && dialog?.kind === "server" ? (
        <ServerDialog
          group={dialog.group}
          hasBedrock={data.bedrock_available && dialog.group.game === "minecraft"}
          server={dialog.server ?? null}
          changes={changes}
          onClose={close}
        />
      ) : null}
      {data && dialog?.kind === "proof" ? (
        <ProofDialog
          shieldId={shield.id}
          group={dialog.group}
          server={currentServer(data.backends, dialog.server)}
          token={data.proof_token}
          onClose={close}
        />
      ) : null}
      {dialog?.kind === "delete" ? (
        <DeleteDialog
          group={dialog.group}
          onClose={close}
          onConfirm={() => {
            close();
            changes.removeGroup.mutate(dialog.group);
          }}
        />
      ) : null}
    </Panel>
  );
}

/** The server as the newest answer has it; as it was once it is gone. */
function currentServer(groups: readonly BackendGroup[], server: BackendServer): BackendServer {
  return groups.flatMap(({ ips }) => ips).find(({ id }) => id === server.id) ?? server;
}

function DeleteDialog(props: {
  readonly group: BackendGroup;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}) {
  const { t } = useLingui();
  const { name, ips } = props.group;
  const servers = ips.length;
  return (
    <ConfirmDialog
      opened
      title={t`Delete ${name}?`}
      action={t`Delete group`}
      onClose={props.onClose}
      onConfirm={props.onConfirm}
    >
      <Trans>
        Its servers ({servers}) are deleted too. Players who are online stay connected; new players
        are sent to the default group.
      </Trans>
    </ConfirmDialog>
  );
}

function PlanLimit({ max, shield }: { max: number; shield: Server }) {
  const plan = shield.pricing_plan.name;
  return (
    <div className={classes["limit"]}>
      <UpgradeNotice
        shield={shield}
        icon={<IconInfoCircle size={17} stroke={1.6} aria-hidden="true" />}
        has={({ groups_max }) => groups_max > max}
      >
        {max === 1 ? (
          <Trans>The plan {plan} has one backend group; a larger plan allows more.</Trans>
        ) : (
          <Trans>
            All backend groups of the plan {plan} are in use: {max}. Delete one to create another; a
            larger plan allows more.
          </Trans>
        )}
      </UpgradeNotice>
    </div>
  );
}

function GroupsSkeleton() {
  return (
    <LoadingRegion className={classes["skeletons"]}>
      <Skeleton height={64} radius={8} />
      <Skeleton height={64} radius={8} />
    </LoadingRegion>
  );
}
