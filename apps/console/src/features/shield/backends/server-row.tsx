import { Button } from "@mantine/core";
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import type { BackendServer } from "@palisade/contract/http/backends";
import { IconPencil } from "@tabler/icons-react";
import { IconButton } from "#src/ui/icon-button.tsx";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { RemoveButton } from "#src/ui/remove-button.tsx";
import { Status } from "#src/ui/status.tsx";
import { Day } from "#src/ui/time.tsx";
import { useMayChange } from "../may-change.ts";
import classes from "./backends.module.css";
import { proofLabels } from "./labels.ts";
import { formatBackendAddress } from "#src/lib/backend-address.ts";

interface ServerRowProps {
  readonly server: BackendServer;
  readonly isRemoving: boolean;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
  /** Tells how to prove that the server is the owner's. */
  readonly onProve: () => void;
  /** Turns PROXY protocol on for the group. */
  readonly onTurnOnProxy: () => void;
}

export function ServerRow(props: ServerRowProps) {
  const { server, isRemoving, onEdit, onRemove, onProve, onTurnOnProxy } = props;
  const { t, i18n } = useLingui();
  const mayChange = useMayChange();
  const address = formatBackendAddress(server);
  const { bedrock_port: bedrockPort } = server;
  const { players, latency_ms: latency, last_error: error } = server.health;
  return (
    <li className={classes["server"]} data-address={address}>
      <span className={classes["address"]}>
        <span className="mono">{address}</span>
        <CopyButton value={address} label={t`Copy ${address}`} />
      </span>
      <span className={classes["state"]}>
        <ServerState health={server.health} />
        {error === null ? null : <span className={classes["error"]}>{error}</span>}
        {server.bedrock_health === null ? null : <BedrockState health={server.bedrock_health} />}
        {server.proof.proven ? null : (
          <>
            <span className={classes["unproven"]}>
              <Trans>Not proven: no players are sent here yet</Trans>
            </span>
            <Button
              variant="default"
              size="compact-xs"
              aria-label={t`How to prove it: ${address}`}
              onClick={onProve}
            >
              <Trans>How to prove it</Trans>
            </Button>
          </>
        )}
        {server.health.expects_proxy && mayChange ? (
          <Button variant="default" size="compact-xs" onClick={onTurnOnProxy}>
            <Trans>Turn on PROXY protocol</Trans>
          </Button>
        ) : null}
      </span>
      <span className={classes["figures"]}>
        <span>
          <Plural value={players} one="# player" other="# players" />
        </span>
        {latency === null ? null : <span>{t`${latency} ms`}</span>}
        {bedrockPort !== null ? <span>{t`Bedrock port ${bedrockPort}`}</span> : null}
        {server.proof.by === null ? null : <span>{i18n._(proofLabels[server.proof.by])}</span>}
        <span>
          <Trans>
            Added <Day at={server.created_at} />
          </Trans>
        </span>
      </span>
      {mayChange ? (
        <span className={classes["actions"]}>
          <IconButton
            hint={t`Edit`}
            icon={<IconPencil size={16} stroke={1.6} />}
            label={t`Edit ${address}`}
            onClick={onEdit}
          />
          <RemoveButton label={t`Delete ${address}`} loading={isRemoving} onClick={onRemove} />
        </span>
      ) : null}
    </li>
  );
}

/** How the server answers players of Bedrock, below how it answers those of Java. */
function BedrockState({ health }: { health: NonNullable<BackendServer["bedrock_health"]> }) {
  const { t } = useLingui();
  const { players, latency_ms: latency, last_error: error } = health;
  return (
    <span className={classes["bedrock"]}>
      <span>{t`Bedrock`}</span>
      <ServerState health={health} />
      {error === null ? null : <span className={classes["error"]}>{error}</span>}
      {players === 0 ? null : (
        <span>
          <Plural value={players} one="# player" other="# players" />
        </span>
      )}
      {latency === null ? null : <span>{t`${latency} ms`}</span>}
    </span>
  );
}

function ServerState({
  health,
}: {
  health: Pick<BackendServer["health"], "state" | "edges_up" | "edges_down">;
}) {
  const { state, edges_up: up, edges_down: down } = health;
  const asked = up + down;
  if (state === "unknown") {
    return (
      <Status tone="idle">
        <Trans>Unknown</Trans>
      </Status>
    );
  }
  if (state === "down") {
    return (
      <Status tone="danger">
        <Trans>Offline</Trans>
      </Status>
    );
  }
  return (
    <Status tone={down > 0 ? "attack" : "protected"}>
      {down > 0 ? (
        <Trans>
          Reachable from {up} of {asked} edges
        </Trans>
      ) : (
        <Trans>Online</Trans>
      )}
    </Status>
  );
}
