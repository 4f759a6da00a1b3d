import { useLingui } from "@lingui/react/macro";
import type { MitigationLimit } from "@palisade/contract/http/mitigation";
import type { SettingName } from "./settings.ts";

export function useSettingLabels(): Record<SettingName, string> {
  const { t } = useLingui();
  const labels = {
    minecraft_versions: t`Minecraft versions`,
    max_connections: t`Max connections`,
    rejoin_cooldown: t`Rejoin cooldown`,
    max_packet_size: t`Max packet size`,
    mitigation_threshold: t`Mitigation threshold`,
    mitigation_duration: t`Mitigation duration`,
  };
  const switchOf = (label: string) => t`${label} (switch)`;
  return {
    ...labels,
    minecraft_version_range_enabled: switchOf(labels.minecraft_versions),
    max_connections_enabled: switchOf(labels.max_connections),
    rejoin_cooldown_enabled: switchOf(labels.rejoin_cooldown),
    max_packet_size_enabled: switchOf(labels.max_packet_size),
    mitigation_threshold_enabled: switchOf(labels.mitigation_threshold),
    mitigation_duration_enabled: switchOf(labels.mitigation_duration),
    antibot_level: t`AntiBot level`,
    advanced_antibot: t`Advanced AntiBot`,
    secure_profiles: t`Secure profiles`,
    anti_vpn: t`Anti-VPN`,
    anti_forge: t`Anti-Forge`,
    shadow_mode: t`Shadow mode`,
    verified_hours: t`Verified players stay known`,
    unknown_versions: t`Unknown versions`,
    text_captcha: t`Captcha as text`,
  };
}

export function useLimitUnits(): Record<MitigationLimit, string> {
  const { t } = useLingui();
  return {
    max_connections: t`per second`,
    rejoin_cooldown: t`seconds`,
    max_packet_size: t`bytes`,
    mitigation_threshold: t`per second`,
    mitigation_duration: t`minutes`,
  };
}
