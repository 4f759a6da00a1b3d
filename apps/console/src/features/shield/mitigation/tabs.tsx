import { Trans, useLingui } from "@lingui/react/macro";
import { unknownVersionRules } from "@palisade/contract/edge/plain-values";
import type { Mitigation } from "@palisade/contract/http/mitigation";
import type { Server } from "@palisade/contract/http/servers";
import { IconLock } from "@tabler/icons-react";
import { useLocale } from "#src/lib/preferences.ts";
import { UpgradeNotice } from "../plan-change/upgrade-notice.tsx";
import { ChoiceSetting } from "./choice-setting.tsx";
import { hintsOf } from "./hints.ts";
import { knownTimes, knownTimeText } from "./known-times.ts";
import { isStricter, LevelChoice } from "./level-choice.tsx";
import { LimitSetting } from "./limit-setting.tsx";
import type { MitigationForm } from "./use-mitigation-form.ts";
import classes from "./mitigation.module.css";
import { Setting } from "./setting.tsx";
import { useSettingLabels } from "./setting-labels.ts";
import { unknownVersionLabels } from "./unknown-version-labels.ts";
import type { Versions } from "./version-range.ts";
import { VersionSetting } from "./version-setting.tsx";

interface TabProps {
  readonly use: MitigationForm;
}

export function GeneralTab({ use, versions }: TabProps & { versions: Versions }) {
  const { t, i18n } = useLingui();
  const { form, readOnly } = use;
  const labels = useSettingLabels();
  return (
    <ul className={classes["settings"]}>
      <VersionSetting use={use} versions={versions} />
      <ChoiceSetting
        name="unknown_versions"
        label={labels.unknown_versions}
        does={t`What happens to Minecraft versions that are too new for us, such as snapshots.`}
        costs={t`Refused players are told which versions can join, until our edges know the new version.`}
        value={form.values.unknown_versions}
        choices={unknownVersionRules.map((rule) => ({
          value: rule,
          label: i18n._(unknownVersionLabels[rule]),
        }))}
        disabled={readOnly}
        onChoose={(value) => {
          const rule = unknownVersionRules.find((each) => each === value);
          if (rule !== undefined) form.setFieldValue("unknown_versions", rule);
        }}
      />
      <LimitSetting
        use={use}
        name="max_connections"
        does={t`Limits how many players can log in per second.`}
        costs={t`Players above the limit are asked to try again.`}
      />
      <LimitSetting
        use={use}
        name="rejoin_cooldown"
        does={t`How long a player must wait before joining again.`}
        costs={t`Verified players are exempt. All others wait even after a lost connection, together with everyone at the same address.`}
      />
      <LimitSetting
        use={use}
        name="max_packet_size"
        does={t`Disconnects clients that send oversized login packets.`}
        costs={t`Players without mods notice nothing. Some mods send large login packets and need a higher limit. For Bedrock, skins do not count.`}
      />
    </ul>
  );
}

interface PlanTabProps extends TabProps {
  readonly shield: Server;
  readonly plan: Pick<
    Mitigation,
    "antibot_level_max" | "anti_vpn_available" | "anti_vpn_has_lists"
  >;
}

export function AntibotTab({ use, shield, plan }: PlanTabProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
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
              Without a mitigation threshold, no attack is detected: Medium checks suspicious logins
              only.
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
          does={t`Detects names made by bots, many new names at once, players who join without opening the server list, and clients that are not the real game.`}
          costs={t`A new player whose name looks like a bot's may be refused. During an attack or when many new names join, players who use 'Direct Connection' must open the server list first.`}
          disabled={readOnly}
          field={use.toggle("advanced_antibot")}
          hint={
            hints.has("advanced_without_verification") ? (
              <Trans>
                Clients are checked from level Medium on. At the current level, only names and pings
                are checked.
              </Trans>
            ) : null
          }
        />
        <LimitSetting
          use={use}
          name="mitigation_threshold"
          does={t`More logins per second than this count as an attack. A flood of datagrams at the Bedrock ports is one as well.`}
          costs={t`If this is too low, a normal rush counts as an attack and new players are checked.`}
          hint={
            hints.has("threshold_only_shows") ? (
              <Trans>
                While AntiBot is disabled, attacks are only shown on the overview. No players are
                checked.
              </Trans>
            ) : null
          }
        />
        <LimitSetting
          use={use}
          name="mitigation_duration"
          does={t`How long an attack counts as ongoing after the last second above the threshold.`}
          costs={t`New players are checked for that much longer.`}
          hint={
            hints.has("duration_without_threshold") ? (
              <Trans>
                Without a mitigation threshold, no attack is detected and this has no effect.
              </Trans>
            ) : hints.has("threshold_without_duration") ? (
              <Trans>When off, an attack ends ten seconds after its last wave.</Trans>
            ) : null
          }
        />
        <ChoiceSetting
          name="verified_hours"
          label={labels.verified_hours}
          does={t`How long a player who passed a check joins without another one, from the same network and by the same edge.`}
          costs={t`The shorter, the more often your players are checked again.`}
          value={String(form.values.verified_hours)}
          choices={knownTimes(form.values.verified_hours).map((hours) => ({
            value: String(hours),
            label: knownTimeText(locale, hours),
          }))}
          disabled={readOnly}
          onChoose={(value) => form.setFieldValue("verified_hours", Number(value))}
        />
        <Setting
          label={labels.text_captcha}
          does={t`Players who cannot see the captcha can ask for its code as text, for a screen reader.`}
          costs={t`Bots can read the text, too. Turn it on only if your players need it.`}
          disabled={readOnly}
          field={use.toggle("text_captcha")}
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
        does={t`Only players whose Minecraft account Mojang confirms can join. Versions 1.19 to 1.19.2 send a key instead: it must be present and not expired, but Mojang's signature on it is not checked.`}
        costs={t`Players without a paid account cannot join. Except for 1.19 to 1.19.2, the first join in five days asks Mojang: while Mojang does not answer, new players have to wait.`}
        disabled={readOnly}
        field={use.toggle("secure_profiles")}
      />
      <Setting
        label={labels.anti_vpn}
        does={t`Refuses players from VPNs, proxies and data centres that are on our edges' lists. An edge without lists lets all of them in.`}
        costs={t`Players who use a VPN for good reasons cannot join either. Addresses and names on the whitelist still can.`}
        disabled={readOnly || !plan.anti_vpn_available}
        field={use.toggle("anti_vpn")}
        hint={
          use.form.values.anti_vpn && !plan.anti_vpn_has_lists ? (
            <Trans>
              An edge of this shield has no VPN lists, so it blocks no VPN. Only the operator can
              add lists.
            </Trans>
          ) : null
        }
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
        does={t`Refuses players who use Forge.`}
        costs={t`Players with mods cannot join, even if your server uses the same mods.`}
        disabled={readOnly}
        field={use.toggle("anti_forge")}
      />
    </ul>
  );
}
