import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { BackendGroup, BackendServer } from "@palisade/contract/http/backends";
import { IconChevronDown, IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { useId } from "react";
import { IconButton } from "#src/ui/icon-button.tsx";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { Status } from "#src/ui/status.tsx";
import { Day } from "#src/ui/time.tsx";
import { useMayChange } from "../may-change.ts";
import classes from "./backends.module.css";
import { balancingLabels } from "./labels.ts";
import { ServerRow } from "./server-row.tsx";
import type { BackendChanges } from "./use-backends.ts";

interface GroupItemProps {
  readonly group: BackendGroup;
  readonly isOpen: boolean;
  readonly isOnly: boolean;
  readonly changes: BackendChanges;
  readonly onToggle: () => void;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
  /** Opens the dialog to edit a server, or to add one. */
  readonly onServer: (server?: BackendServer) => void;
  readonly onProve: (server: BackendServer) => void;
}

export function GroupItem(props: GroupItemProps) {
  const { group, isOpen, onToggle } = props;
  const id = useId();
  const mayChange = useMayChange();
  return (
    <li className={classes["group"]} data-open={isOpen || undefined}>
      <div className={classes["head"]}>
        <h3 className={classes["heading"]}>
          <button
            type="button"
            className={classes["toggle"]}
            aria-expanded={isOpen}
            {...(isOpen ? { "aria-controls": id } : {})}
            onClick={onToggle}
          >
            <IconChevronDown className={classes["chevron"]} size={17} stroke={1.8} aria-hidden />
            <span className={classes["name"]}>{group.name}</span>
          </button>
          {group.default ? (
            <span className={classes["badge"]}>
              <Trans>default</Trans>
            </span>
          ) : null}
        </h3>
        <GroupHealth group={group} />
        {mayChange ? <GroupActions {...props} /> : null}
        <GroupFacts group={group} />
      </div>
      {isOpen ? (
        <div id={id} className={classes["body"]}>
          <Servers {...props} />
        </div>
      ) : null}
    </li>
  );
}

/** How many of the group's servers can be reached. */
function GroupHealth({ group }: { group: BackendGroup }) {
  const total = group.ips.length;
  const up = group.ips.filter(({ health }) => health.state === "up").length;
  const down = group.ips.filter(({ health }) => health.state === "down").length;
  const tone = up > 0 ? (down > 0 ? "attack" : "protected") : down > 0 ? "danger" : "idle";
  return (
    <span className={classes["health"]}>
      <Status tone={tone}>
        {total === 0 ? (
          <Trans>No servers</Trans>
        ) : (
          <Trans>
            {up} of {total} online
          </Trans>
        )}
      </Status>
    </span>
  );
}

function GroupFacts({ group }: { group: BackendGroup }) {
  const { t, i18n } = useLingui();
  const { port, proxy_protocol: isProxied } = group;
  return (
    <dl className={classes["facts"]}>
      <div>
        <dt>
          <Trans>Created at</Trans>
        </dt>
        <dd>
          <Day at={group.created_at} />
        </dd>
      </div>
      <div>
        <dt>
          <Trans>Region</Trans>
        </dt>
        <dd>{group.region_name}</dd>
      </div>
      <div>
        <dt>
          <Trans>Load balancer</Trans>
        </dt>
        <dd>{i18n._(balancingLabels[group.load_balancing])}</dd>
      </div>
      <div>
        <dt>
          <Trans>PROXY protocol</Trans>
        </dt>
        <dd>{isProxied ? t`On` : t`Off`}</dd>
      </div>
      {port === null ? null : (
        <div>
          <dt>
            <Trans>Port for players</Trans>
          </dt>
          <dd className={classes["copied"]}>
            <span className="mono">{port}</span>
            <CopyButton value={String(port)} label={t`Copy port ${port}`} />
          </dd>
        </div>
      )}
    </dl>
  );
}

function GroupActions({ group, isOnly, changes, onEdit, onDelete }: GroupItemProps) {
  const { t } = useLingui();
  const { name } = group;
  const isRemoving = changes.removeGroup.isPending && changes.removeGroup.variables.id === group.id;
  const reason = isOnly
    ? t`The last group cannot be deleted`
    : t`Make another group the default one first`;
  return (
    <div className={classes["actions"]}>
      <IconButton
        hint={t`Edit group`}
        icon={<IconPencil size={16} stroke={1.6} />}
        label={t`Edit group ${name}`}
        onClick={onEdit}
      />
      <IconButton
        hint={group.default ? reason : t`Delete group`}
        icon={<IconTrash size={16} stroke={1.6} />}
        label={group.default ? `${t`Delete group ${name}`}: ${reason}` : t`Delete group ${name}`}
        inactive={group.default}
        loading={isRemoving}
        onClick={onDelete}
      />
    </div>
  );
}

function Servers({ group, changes, onServer, onProve }: GroupItemProps) {
  const { t } = useLingui();
  const mayChange = useMayChange();
  const { name } = group;
  return (
    <>
      {group.ips.length === 0 ? (
        <p className={classes["none"]}>
          <Trans>no backends in this group, please add one</Trans>
        </p>
      ) : (
        <ul aria-label={t`Servers of ${name}`}>
          {group.ips.map((server) => (
            <ServerRow
              key={server.id}
              server={server}
              isRemoving={
                changes.removeServer.isPending &&
                changes.removeServer.variables.server.id === server.id
              }
              onEdit={() => onServer(server)}
              onRemove={() => changes.removeServer.mutate({ group, server })}
              onProve={() => onProve(server)}
              onTurnOnProxy={() => changes.turnOnProxy(group)}
            />
          ))}
        </ul>
      )}
      {mayChange ? (
        <Button
          className={classes["add"] ?? ""}
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} stroke={1.8} aria-hidden="true" />}
          aria-label={t`Add server to ${name}`}
          onClick={() => onServer()}
        >
          <Trans>Add server</Trans>
        </Button>
      ) : null}
    </>
  );
}
