import type { SettingArea } from "@palisade/contract/http/history";
import type {
  AreaSettings,
  SettingValue,
} from "#src/features/shield-history/shield-history.service.ts";
import { ruleText } from "./network-rule-text.service.ts";
import type { ListType } from "#src/schema/shields.ts";
import type { ConfigurationRows } from "./configuration.repository.ts";

type StoredArea = Exclude<SettingArea, "general">;

/** The settings that configurations are compiled from. The shield's name is not one of them. */
export function settingsOf(rows: ConfigurationRows): Readonly<Record<StoredArea, AreaSettings>> {
  const { minecraft_versions: versions, ...mitigation } = rows.mitigation;
  return {
    backends: groupSettings(rows),
    domains: domainSettings(rows),
    mitigation: {
      ...mitigation,
      minecraft_version_min: versions.min,
      minecraft_version_max: versions.max,
    },
    caching: { caching_enabled: rows.caching.enabled, cache_purges: rows.caching.purges },
    messages: messageSettings(rows.messages),
    bedrock: {
      bedrock_enabled: rows.bedrock.enabled,
      bedrock_default: rows.bedrock.default_granted,
      bedrock_ports: rows.bedrock.ports.map(({ port }) => String(port)),
    },
    firewall: {
      ip_blacklist_enabled: rows.firewall.blacklist_enabled,
      ip_whitelist_enabled: rows.firewall.whitelist_enabled,
      whitelist_only: rows.firewall.whitelist_only,
      blacklist: listOf(rows, "blacklist"),
      whitelist: listOf(rows, "whitelist"),
      blacklist_notes: rows.notes.blacklist ?? [],
      whitelist_notes: rows.notes.whitelist ?? [],
      blacklist_ends: endsOf(rows, "blacklist"),
      whitelist_ends: endsOf(rows, "whitelist"),
      network_rules: rows.networkRules.map(ruleText),
    },
  };
}

/** Addresses and names: their forms tell them apart. */
function listOf({ entries, names }: ConfigurationRows, list: ListType): readonly string[] {
  return [...(entries[list] ?? []), ...(names[list] ?? [])];
}

function endsOf({ ends }: ConfigurationRows, list: ListType): readonly string[] {
  return (ends[list] ?? []).map(([entry, endMs]) => `${entry} ${new Date(endMs).toISOString()}`);
}

function groupSettings({ groups, backends }: ConfigurationRows): AreaSettings {
  const settings: Record<string, SettingValue> = {};
  for (const group of groups) {
    const { id } = group;
    settings[`group@${id}`] = group.name;
    settings[`game@${id}`] = group.game;
    settings[`group_region@${id}`] = group.region;
    settings[`balancing@${id}`] = group.balancing;
    settings[`proxy_protocol@${id}`] = group.proxy_protocol;
    settings[`default_group@${id}`] = group.is_default;
    if (group.port !== null) settings[`group_port@${id}`] = group.port;
    settings[`servers@${id}`] = backends.filter(({ group_id }) => group_id === id).map(addressOf);
    settings[`bedrock_servers@${id}`] = backends
      .filter(({ group_id, bedrock_port }) => group_id === id && bedrock_port !== null)
      .map((each) => `${addressOf(each)} ${each.bedrock_port} ${each.bedrock_proxy}`);
  }
  return settings;
}

function addressOf({ host, port }: ConfigurationRows["backends"][number]): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The group of a domain by its name, which says more than an id; empty: the default group. */
function domainSettings({ shield, domains, groups }: ConfigurationRows): AreaSettings {
  const names = new Map(groups.map(({ id, name }) => [id, name]));
  return {
    region: shield.location,
    ...Object.fromEntries(
      domains.map(({ name, group_id }) => [
        `domain@${name}`,
        group_id === null ? "" : (names.get(group_id) ?? ""),
      ]),
    ),
  };
}

/** Texts of the owner's; the product's own are not set. */
function messageSettings({ offline_image, ...texts }: ConfigurationRows["messages"]): AreaSettings {
  const written = messageFields.flatMap((field) =>
    texts[field] === "" ? [] : [[field, texts[field]] as const],
  );
  const image =
    offline_image === null
      ? {}
      : { offline_image: `data:image/png;base64,${offline_image.toString("base64")}` };
  return { ...Object.fromEntries(written), ...image };
}

const messageFields = [
  "forge_msg",
  "invalid_version_msg",
  "rejoin_msg",
  "bot_check_msg",
  "cooldown_msg",
  "max_connections_msg",
  "secure_profiles_msg",
  "vpn_msg",
  "bot_name_msg",
  "version_info",
  "motd_line1",
  "motd_line2",
  "offline_info",
  "offline_kick_msg",
  "blacklist_msg",
  "whitelist_msg",
] as const satisfies readonly (keyof ConfigurationRows["messages"])[];
