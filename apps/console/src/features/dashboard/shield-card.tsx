import { Skeleton } from "@mantine/core";
import { plural } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import type { ServerListItem } from "@palisade/contract/http/servers";
import { Link } from "@tanstack/react-router";
import { paths } from "#src/lib/paths.ts";
import { ShieldStatus } from "#src/ui/shield-status.tsx";
import { ShieldImage } from "#src/ui/shield-image.tsx";
import { Sparkline, type SeriesTone } from "#src/ui/sparkline.tsx";
import classes from "./shield-card.module.css";

export function ShieldCard({ server }: { server: ServerListItem }) {
  const { t } = useLingui();
  const players = server.players_online;
  const name = server.server_name;
  return (
    <li className={classes["card"]}>
      <div className={classes["head"]}>
        <ShieldImage id={server.id} src={server.img} name={name} />
        <div className={classes["names"]}>
          <Link className={classes["name"]} to={paths.shield} params={{ shieldId: server.id }}>
            {name}
          </Link>
          <p className={`mono ${classes["address"]}`}>{server.domain ?? server.cname_record}</p>
        </div>
        <span className={classes["role"]}>
          {server.role === "owner" ? <Trans>owned</Trans> : <Trans>shared</Trans>}
        </span>
      </div>
      <div className={classes["state"]}>
        <ShieldStatus
          status={server.status}
          underAttack={server.under_attack}
          isUsedUp={server.traffic_used_up}
          isUnpaid={server.grace_ends_at !== null}
        />
        <span>{plural(players, { one: "# player", other: "# players" })}</span>
      </div>
      <Sparkline
        values={server.players_history}
        tone={tone(server)}
        label={t`Players of ${name} in the last 24 hours`}
      />
    </li>
  );
}

export function ShieldCardSkeleton() {
  return (
    <li className={classes["card"]}>
      <div className={classes["head"]}>
        <Skeleton width={36} height={36} radius={8} />
        <div className={classes["names"]}>
          <Skeleton width="70%" height={14} mb={8} />
          <Skeleton width="90%" height={11} />
        </div>
      </div>
      <div className={classes["state"]}>
        <Skeleton width={70} height={12} />
        <Skeleton width={60} height={12} />
      </div>
      <Skeleton height={34} />
    </li>
  );
}

function tone(server: ServerListItem): SeriesTone {
  if (server.under_attack) return "attack";
  return server.status === "active" && server.players_history.some(Boolean) ? "protected" : "idle";
}
