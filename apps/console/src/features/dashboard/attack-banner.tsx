import { Trans } from "@lingui/react/macro";
import type { ServerListItem } from "@palisade/contract/http/servers";
import { Link } from "@tanstack/react-router";
import { IconShieldBolt } from "@tabler/icons-react";
import { paths } from "#src/lib/paths.ts";
import { AttackResponse } from "#src/ui/attack-response.tsx";
import { Banner } from "#src/ui/banner.tsx";
import classes from "./dashboard.module.css";

/** First on the page, so that an attack is seen at once. */
export function AttackBanner({ servers }: { servers: readonly ServerListItem[] }) {
  const attacked = servers.filter((server) => server.under_attack);
  if (attacked.length === 0) return null;
  return (
    <div className={classes["banners"]}>
      {attacked.map(({ id, server_name: name, antibot }) => (
        <Banner
          key={id}
          tone="attack"
          live="polite"
          icon={<IconShieldBolt size={18} stroke={1.6} />}
        >
          <strong>
            <Trans>{name} is under attack.</Trans>
          </strong>{" "}
          <AttackResponse antibot={antibot} />{" "}
          <Link to={paths.shield} params={{ shieldId: id }}>
            <Trans>See live figures</Trans>
          </Link>
        </Banner>
      ))}
    </div>
  );
}
