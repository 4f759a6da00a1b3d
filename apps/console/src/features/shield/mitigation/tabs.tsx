import { Trans, useLingui } from "@lingui/react/macro";
import type { Mitigation } from "@palisade/contract/http/mitigation";
import type { Server } from "@palisade/contract/http/servers";
import { IconLock } from "@tabler/icons-react";
import { UpgradeNotice } from "../upgrade-notice.tsx";
import { hintsOf } from "./hints.ts";
import { isStricter, LevelChoice } from "./level-choice.tsx";
import { LimitSetting } from "./limit-setting.tsx";
import type { MitigationForm } from "./use-mitigation-form.ts";
import classes from "./mitigation.module.css";
import { Setting } from "./setting.tsx";
import { useSettingLabels } from "./setting-labels.ts";
import type { Versions } from "./version-range.ts";
import { VersionSetting } from "./version-setting.tsx";

interface TabProps {
  readonly use: MitigationForm;
}

export function GeneralTab({ use, versions }: TabProps & { versions: Versions }) {
  const { t } = useLingui();
  return (
    <ul className={classes["settings"]}>
      <VersionSetting use={use} versions={versions} />
      <LimitSetting
        use={use}
        name="max_connections"
        does={t`No more logins than this reach your server in a second, of each edge.`}
        costs={t`In a rush, say after a restart, the others are asked to try again.`}
      />
      <LimitSetting
        use={use}
        name="rejoin_cooldown"
        does={t`Who has just joined waits this long before joining again.`}
        costs={t`Who lost the connection waits, too, and so does everybody at the same address. Players already checked do not.`}
      />
      <LimitSetting
        use={use}
        name="max_packet_size"
        does={t`Cuts off who sends a larger packet while logging in.`}
        costs={t`Nothing with the plain game. Mods with large login packets may need more.`}
      />
    </ul>
  );
}

interface PlanTabProps extends TabProps {
  readonly shield: Server;
  readonly plan: Pick<Mitigation, "antibot_level_max" | "anti_vpn_available">;
}

export function AntibotTab({ use, shield, plan }: PlanTabProps) {
  const { t } = useLingui();
  const { form, readOnly } = use;
  const labels = useSettingLabels();
  const hints = hintsOf(form.values);
  return (
    <>
      <LevelChoice
        value={form.values.antibot_level}
        max={plan.antibot_level_max}
        readOnly={readOnly}
        onChoose={(level) => form.setFieldValue("antibot_level", level)}
        hint={
          hints.has("level_waits_for_attack") ? (
            <Trans>
              Without a threshold no attack is ever noticed: Medium does no more than Low.
            </Trans>
          ) : null
        }
      />
      {plan.antibot_level_max === "extreme" ? null : (
        <UpgradeNotice
          shield={shield}
          icon={<IconLock size={17} stroke={1.6} />}
          has={({ antibot_max: max }) => isStricter(max, plan.antibot_level_max)}
        >
          <Trans>Your plan does not include the stricter levels. A larger plan has them.</Trans>
        </UpgradeNotice>
      )}
      <ul className={classes["settings"]}>
        <Setting
          label={labels.advanced_antibot}
          does={t`Looks for names made by bots, bursts of new names, joins without a ping before, and games that are none.`}
          costs={t`A newcomer with a name like a bot's may be turned away. During an attack or a burst of new names, who joins by 'Direct Connection' has to open the server list first.`}
          disabled={readOnly}
          field={use.toggle("advanced_antibot")}
          hint={
            hints.has("advanced_without_verification") ? (
              <Trans>
                The game itself is looked at from Medium on: as it is, only names and pings are.
              </Trans>
            ) : null
          }
        />
        <LimitSetting
          use={use}
          name="mitigation_threshold"
          does={t`More logins in a second than this count as an attack.`}
          costs={t`Too low, and an ordinary rush is an attack: newcomers are checked.`}
          hint={
            hints.has("threshold_only_shows") ? (
              <Trans>
                While AntiBot is disabled an attack is only shown on the overview, nobody is checked
                for it.
              </Trans>
            ) : null
          }
        />
        <LimitSetting
          use={use}
          name="mitigation_duration"
          does={t`An attack counts as going on this long after the last second above the threshold.`}
          costs={t`Newcomers are checked that much longer.`}
          hint={
            hints.has("duration_without_threshold") ? (
              <Trans>Without a threshold no attack is ever noticed: this has no effect.</Trans>
            ) : hints.has("threshold_without_duration") ? (
              <Trans>Off, an attack is over ten seconds after its last wave.</Trans>
            ) : null
          }
        />
      </ul>
    </>
  );
}

export function MiscellaneousTab({ use, shield, plan }: PlanTabProps) {
  const { t } = useLingui();
  const { readOnly } = use;
  const labels = useSettingLabels();
  return (
    <ul className={classes["settings"]}>
      <Setting
        label={labels.secure_profiles}
        does={t`Only players with a Minecraft account that Mojang vouches for. Games of 1.19 to 1.19.2 show a key instead: it has to be there and not expired, but whether Mojang has signed it is not checked.`}
        costs={t`Accounts that were not bought stay outside. But for 1.19 to 1.19.2, the first join in five days asks Mojang: while that does not answer, newcomers have to wait.`}
        disabled={readOnly}
        field={use.toggle("secure_profiles")}
      />
      <Setting
        label={labels.anti_vpn}
        does={t`Refuses addresses of VPNs, proxies and data centres that are on the lists of our edges. Where an edge has no lists, it refuses nobody.`}
        costs={t`Who uses a VPN for good reasons stays outside, too. Addresses of the whitelist do not.`}
        disabled={readOnly || !plan.anti_vpn_available}
        field={use.toggle("anti_vpn")}
        notice={
          plan.anti_vpn_available ? null : (
            <UpgradeNotice
              shield={shield}
              icon={<IconLock size={17} stroke={1.6} />}
              has={(includes) => includes.anti_vpn}
            >
              <Trans>Your plan does not include Anti-VPN. A larger plan has it.</Trans>
            </UpgradeNotice>
          )
        }
      />
      <Setting
        label={labels.anti_forge}
        does={t`Refuses games with Forge.`}
        costs={t`Players with mods stay outside, also those your server has mods for.`}
        disabled={readOnly}
        field={use.toggle("anti_forge")}
      />
    </ul>
  );
}
