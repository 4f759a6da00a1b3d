import { Switch } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Bedrock } from "@palisade/contract/http/bedrock";
import type { Server } from "@palisade/contract/http/servers";
import { Link } from "@tanstack/react-router";
import { IconLock } from "@tabler/icons-react";
import { paths } from "#src/lib/paths.ts";
import { Panel } from "#src/ui/panel.tsx";
import { useMayChange } from "../may-change.ts";
import { UpgradeNotice } from "../plan-change/upgrade-notice.tsx";
import classes from "./bedrock.module.css";
import type { BedrockChanges } from "./use-bedrock.ts";

interface TogglePanelProps {
  readonly shield: Server;
  readonly bedrock: Bedrock;
  readonly changes: BedrockChanges;
}

export function TogglePanel({ shield, bedrock, changes: { toggle } }: TogglePanelProps) {
  const { t } = useLingui();
  const mayChange = useMayChange();
  return (
    <Panel prominent title={t`Bedrock/Geyser`}>
      <Switch
        label={t`Players of Bedrock`}
        description={t`The edges let players of Minecraft Bedrock in through the ports of this shield.`}
        labelPosition="left"
        withThumbIndicator={false}
        checked={toggle.isPending ? toggle.variables : bedrock.bedrock_enabled}
        disabled={bedrock.needs_upgrade || toggle.isPending || !mayChange}
        onChange={({ currentTarget }) => toggle.mutate(currentTarget.checked)}
        classNames={{ body: classes["toggle"] ?? "", labelWrapper: classes["label"] ?? "" }}
      />
      <dl className={classes["effects"]}>
        <dt>
          <Trans>What you need</Trans>
        </dt>
        <dd>
          <Trans>
            Geyser on your server, and its UDP port in the settings of the server under{" "}
            <Link to={paths.shield} params={{ shieldId: shield.id, section: "backends" }}>
              Backends
            </Link>
            . Servers without that port get no players of Bedrock.
          </Trans>
        </dd>
        <dt>
          <Trans>When it is off</Trans>
        </dt>
        <dd>
          <Trans>The ports are closed. They stay yours, and players of Java notice nothing.</Trans>
        </dd>
      </dl>
      {bedrock.needs_upgrade ? (
        <UpgradeNotice
          shield={shield}
          icon={<IconLock size={17} stroke={1.6} />}
          has={(includes) => includes.bedrock}
        >
          <Trans>Your plan does not include Bedrock. A larger plan has it.</Trans>
        </UpgradeNotice>
      ) : null}
    </Panel>
  );
}
