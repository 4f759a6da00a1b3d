import { exampleIds } from "@palisade/contract/reference/example-story";
import type { HistoryEntry, SettingArea, SettingChange } from "@palisade/contract/http/history";
import { renderText } from "@palisade/contract/texts/render";
import type { Locale } from "@palisade/contract/texts/locale";
import { icon } from "@palisade/system-tests/routing/icon";

const minuteMs = 60_000;
const ago = (minutes: number) => new Date(Date.now() - minutes * minuteMs).toISOString();
const none = { item: null, before: null, after: null, added: [], removed: [] };
const change: SettingChange = { ...none, field: "name", added_count: 0, removed_count: 0 };

/** Every kind of change: a setting, a list, a group, a picture, and the system's own. */
export function livelyHistory(one: HistoryEntry, locale: Locale): HistoryEntry[] {
  const entry = (id: string, minutes: number, rest: Partial<HistoryEntry>): HistoryEntry => ({
    ...one,
    id: exampleIds.shield.slice(0, -1) + id,
    created_at: ago(minutes),
    ...rest,
  });
  const system = {
    kind: "system" as const,
    name: renderText(locale, "history.author_system"),
    key: null,
  };
  return [
    entry("1", 2, {
      area: "general",
      revision: null,
      author: { kind: "member", name: "maria.a.long.name@example-network.org", key: null },
      changes: [{ ...change, before: "Survival", after: "Survival and Creative" }],
    }),
    entry("2", 30, {
      area: "firewall",
      author: { kind: "owner", name: "anna@example.com", key: "Ban bot" },
      changes: [
        {
          ...change,
          field: "blacklist",
          added: ["203.0.113.5", "198.51.100.0/24", "2001:db8:85a3::8a2e:370:7334"],
          added_count: 60,
        },
      ],
    }),
    entry("3", 300, {
      area: "backends",
      changes: [
        { ...change, field: "group", item: "Lobby", after: "Lobby" },
        { ...change, field: "game", item: "Lobby", after: "other" },
        { ...change, field: "group_region", item: "Lobby", after: "frankfurt" },
        {
          ...change,
          field: "balancing",
          item: "Lobby",
          before: "round_robin",
          after: "least_connections",
        },
        { ...change, field: "proxy_protocol", item: "Lobby", before: false, after: true },
        { ...change, field: "servers", item: "Lobby", added: ["192.0.2.7:25565"], added_count: 1 },
      ],
    }),
    entry("5", 3_000, {
      area: "members",
      changes: [
        {
          ...change,
          field: "member",
          item: "m***@example.com",
          before: "manager",
          after: "custom (logs: view, backends: change)",
        },
      ],
    }),
    entry("4", 4_000, {
      area: "domains",
      author: system,
      changes: [{ ...change, field: "domain", item: "old.example.com", before: "" }],
    }),
    entry("6", 4_100, {
      area: "backends",
      author: system,
      changes: [{ ...change, field: "server_proof", item: "192.0.2.7:25565", after: "minecraft" }],
    }),
    entry("7", 4_200, { area: "messages", changes: messageChanges }),
    entry("8", 4_300, { area: "mitigation", changes: mitigationChanges }),
  ];
}

const messageChanges: SettingChange[] = [
  { ...change, field: "motd_line1", after: "§cBack soon" },
  { ...change, field: "offline_image", after: icon() },
];

const mitigationChanges: SettingChange[] = [
  { ...change, field: "rejoin_cooldown", before: 5, after: 7 },
  { ...change, field: "max_packet_size", before: 8_000, after: 9_000 },
  { ...change, field: "mitigation_duration", before: 15, after: 1 },
  { ...change, field: "max_connections", before: 100, after: 50 },
  { ...change, field: "antibot_level", before: "medium", after: "high" },
  { ...change, field: "shadow_mode", before: false, after: true },
];

/** The changes that restoring an entry would make. */
export const livelyComparison: { area: SettingArea; changes: SettingChange[] }[] = [
  {
    area: "backends",
    changes: [
      {
        ...change,
        field: "servers",
        item: "Lobby",
        removed: ["192.0.2.7:25565"],
        removed_count: 1,
      },
    ],
  },
  { area: "mitigation", changes: mitigationChanges },
  { area: "messages", changes: messageChanges },
];
