import { Switch } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Caching } from "@palisade/contract/http/caching";
import type { Server } from "@palisade/contract/http/servers";
import { IconLock } from "@tabler/icons-react";
import { Panel } from "#src/ui/panel.tsx";
import { UpgradeNotice } from "../plan-change/upgrade-notice.tsx";
import classes from "./caching.module.css";

interface TogglePanelProps {
  readonly shield: Server;
  readonly caching: Caching;
  readonly enabled: boolean;
  readonly busy: boolean;
  readonly onToggle: (enabled: boolean) => void;
}

export function TogglePanel({ shield, caching, enabled, busy, onToggle }: TogglePanelProps) {
  const { t } = useLingui();
  return (
    <Panel prominent title={<Trans>Caching</Trans>}>
      <Switch
        label={t`MOTD caching`}
        description={t`The edges answer server list pings for your server, for each domain and Minecraft version.`}
        labelPosition="left"
        withThumbIndicator={false}
        checked={enabled}
        disabled={caching.needs_upgrade || busy}
        onChange={({ currentTarget }) => onToggle(currentTarget.checked)}
        classNames={{ body: classes["toggle"] ?? "", labelWrapper: classes["label"] ?? "" }}
      />
      <dl className={classes["effects"]}>
        <dt>
          <Trans>What it does</Trans>
        </dt>
        <dd>
          <Trans>
            A flood of pings does not reach your server, and players see it in their list at once.
          </Trans>
        </dd>
        <dt>
          <Trans>What it costs</Trans>
        </dt>
        <dd>
          <Trans>
            MOTD and player count can be up to 10 seconds old. When off, every ping reaches your
            server, up to the edges' limit.
          </Trans>
        </dd>
      </dl>
      {caching.needs_upgrade ? (
        <UpgradeNotice
          shield={shield}
          icon={<IconLock size={17} stroke={1.6} />}
          has={(includes) => includes.caching}
        >
          <Trans>Your plan does not include caching. A larger plan has it.</Trans>
        </UpgradeNotice>
      ) : null}
    </Panel>
  );
}
