import { sql } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";
import { entriesMax, rowsMax, type ExportPart } from "./export-part.ts";

/** Everything kept about the shields of a user, by name. */
export const shieldExportParts: Readonly<Record<string, ExportPart>> = {
  shields: (db, { userId }) =>
    db
      .selectFrom("shields")
      .select([
        "id",
        "server_name",
        "status",
        "location",
        "cname_record",
        "automatic_renewal",
        "include_balance",
        "created_at",
        "deleted_at",
      ])
      .where("owner_id", "=", userId)
      .execute(),

  domains: (db, { userId }) =>
    db
      .selectFrom("shield_domains")
      .innerJoin("shields", "shields.id", "shield_domains.shield_id")
      .select(["shield_id", "name", "verified_at", "shield_domains.created_at"])
      .where("owner_id", "=", userId)
      .execute(),

  backend_groups: (db, { userId }) =>
    db
      .selectFrom("backend_groups")
      .innerJoin("shields", "shields.id", "backend_groups.shield_id")
      .select([
        "shield_id",
        "name",
        "balancing",
        "proxy_protocol",
        "is_default",
        "game",
        "region",
        "port",
      ])
      .where("owner_id", "=", userId)
      .execute(),

  backends: (db, { userId }) =>
    db
      .selectFrom("backends")
      .innerJoin("backend_groups", "backend_groups.id", "backends.group_id")
      .innerJoin("shields", "shields.id", "backend_groups.shield_id")
      .select([
        "shield_id",
        "backend_groups.name as group",
        "host",
        "backends.port",
        "bedrock_port",
        "bedrock_proxy",
      ])
      .where("owner_id", "=", userId)
      .execute(),

  firewalls: (db, { userId }) =>
    db
      .selectFrom("shield_firewalls")
      .innerJoin("shields", "shields.id", "shield_firewalls.shield_id")
      .select(["shield_id", "blacklist_enabled", "whitelist_enabled", "whitelist_only"])
      .where("owner_id", "=", userId)
      .execute(),

  firewall_entries: (db, { userId }) =>
    db
      .selectFrom("firewall_entries")
      .innerJoin("shields", "shields.id", "firewall_entries.shield_id")
      .select([
        "shield_id",
        "list",
        "address",
        "note",
        "firewall_entries.expires_at",
        "firewall_entries.created_at",
      ])
      .where("owner_id", "=", userId)
      .orderBy("firewall_entries.created_at", "desc")
      .limit(entriesMax)
      .execute(),

  firewall_names: (db, { userId }) =>
    db
      .selectFrom("firewall_names")
      .innerJoin("shields", "shields.id", "firewall_names.shield_id")
      .select([
        "shield_id",
        "list",
        "name",
        "note",
        "firewall_names.expires_at",
        "firewall_names.created_at",
      ])
      .where("owner_id", "=", userId)
      .orderBy("firewall_names.created_at", "desc")
      .limit(entriesMax)
      .execute(),

  firewall_network_rules: (db, { userId }) =>
    db
      .selectFrom("firewall_network_rules")
      .innerJoin("shields", "shields.id", "firewall_network_rules.shield_id")
      .select([
        "shield_id",
        "country",
        "asn",
        "action",
        "note",
        "firewall_network_rules.created_at",
        "expires_at",
      ])
      .where("owner_id", "=", userId)
      .orderBy("firewall_network_rules.created_at", "desc")
      .limit(entriesMax)
      .execute(),

  messages: (db, { userId }) =>
    db
      .selectFrom("shield_messages")
      .innerJoin("shields", "shields.id", "shield_messages.shield_id")
      .select([
        "shield_id",
        "version_info",
        "motd_line1",
        "motd_line2",
        "offline_info",
        "offline_kick_msg",
        "blacklist_msg",
        "whitelist_msg",
        "forge_msg",
        "invalid_version_msg",
        "rejoin_msg",
        "bot_check_msg",
        "cooldown_msg",
        "max_connections_msg",
        "secure_profiles_msg",
        "vpn_msg",
        "bot_name_msg",
        // As it was uploaded; the database breaks base64 into lines.
        sql<string | null>`
          'data:image/png;base64,' || replace(encode(offline_image, 'base64'), chr(10), '')
        `.as("offline_image"),
      ])
      .where("owner_id", "=", userId)
      .execute(),

  caching: (db, { userId }) =>
    db
      .selectFrom("shield_caching")
      .innerJoin("shields", "shields.id", "shield_caching.shield_id")
      .select(["shield_id", "enabled", "purged_at"])
      .where("owner_id", "=", userId)
      .execute(),

  bedrock: (db, { userId }) =>
    db
      .selectFrom("shield_bedrock")
      .innerJoin("shields", "shields.id", "shield_bedrock.shield_id")
      .select(["shield_id", "enabled", "default_granted"])
      .where("owner_id", "=", userId)
      .execute(),

  bedrock_ports: (db, { userId }) =>
    db
      .selectFrom("bedrock_ports")
      .innerJoin("shields", "shields.id", "bedrock_ports.shield_id")
      .select([
        "shield_id",
        "bedrock_ports.port",
        "bedrock_ports.location",
        "bedrock_ports.created_at",
        "bedrock_ports.removed_at",
      ])
      .where("owner_id", "=", userId)
      .execute(),

  notifications: (db, { userId }) =>
    db
      .selectFrom("shield_notifications")
      .innerJoin("shields", "shields.id", "shield_notifications.shield_id")
      .select([
        "shield_id",
        "email_notifications",
        "webhook_notifications",
        "attack_started_msg",
        "attack_stopped_msg",
        "mail_events",
        "digest",
        "quiet_from",
        "quiet_until",
        "time_zone",
      ])
      .where("owner_id", "=", userId)
      .execute(),

  webhooks: (db, { userId }) =>
    db
      .selectFrom("shield_webhooks")
      .innerJoin("shields", "shields.id", "shield_webhooks.shield_id")
      .select([
        "shield_webhooks.id",
        "shield_id",
        "format",
        // The address itself is a secret, which the owner has.
        "hint as url",
        "events",
        "enabled",
        "shield_webhooks.created_at",
      ])
      .where("owner_id", "=", userId)
      .execute(),

  mitigation: (db, { userId }) =>
    db
      .selectFrom("shield_mitigation")
      .innerJoin("shields", "shields.id", "shield_mitigation.shield_id")
      .select(["shield_id", "settings"])
      .where("owner_id", "=", userId)
      .execute(),

  try_addresses: (db, { userId }) =>
    db
      .selectFrom("shield_try_addresses")
      .innerJoin("shields", "shields.id", "shield_try_addresses.shield_id")
      .select([
        "shield_id",
        "host",
        "challenge",
        "shield_try_addresses.created_at",
        "shield_try_addresses.expires_at",
      ])
      .where("owner_id", "=", userId)
      .execute(),

  challenge_times: (db, { userId }) =>
    db
      .selectFrom("challenge_times")
      .innerJoin("shields", "shields.id", "challenge_times.shield_id")
      .select(["shield_id", "day", "challenge", "protocol", "passed", "failed"])
      .where("owner_id", "=", userId)
      .orderBy("day", "desc")
      .limit(rowsMax)
      .execute(),

  subscriptions: (db, { userId }) =>
    db
      .selectFrom("subscriptions")
      .innerJoin("shields", "shields.id", "subscriptions.shield_id")
      .innerJoin("pricing_plans", "pricing_plans.id", "subscriptions.pricing_plan_id")
      .select([
        "shield_id",
        "pricing_plans.slug as plan",
        "subscriptions.price_cents",
        "period",
        "period_starts_at",
        "period_ends_at",
        "subscriptions.created_at",
      ])
      .where("owner_id", "=", userId)
      .execute(),

  traffic: (db, { userId }) =>
    db
      .selectFrom("telemetry_hourly")
      .innerJoin("shields", "shields.id", "telemetry_hourly.shield_id")
      .select(({ fn }) => [
        "shield_id",
        "hour",
        fn.sum<string>("joins").as("joins"),
        fn.sum<string>("pings").as("pings"),
        fn.sum<string>("refused").as("refused"),
        fn.sum<string>("bytes_up").as("bytes_up"),
        fn.sum<string>("bytes_down").as("bytes_down"),
        fn.sum<string>("player_seconds").as("player_seconds"),
      ])
      .where("owner_id", "=", userId)
      .groupBy(["shield_id", "hour"])
      .orderBy("hour", "desc")
      .limit(rowsMax)
      .execute(),

  refusals: (db, { userId }) => selectReasons(db, userId, "r:"),
  shadowed: (db, { userId }) => selectReasons(db, userId, "s:"),
  would_challenge: (db, { userId }) => selectReasons(db, userId, "w:"),

  attacks: (db, { userId }) =>
    db
      .selectFrom("attacks")
      .innerJoin("shields", "shields.id", "attacks.shield_id")
      .select([
        "shield_id",
        "started_at",
        "ended_at",
        "peak_per_second",
        "datagrams_peak",
        "sources",
        "refused",
        "edges",
        "relaxed_to",
      ])
      .where("owner_id", "=", userId)
      .orderBy("started_at", "desc")
      .limit(rowsMax)
      .execute(),

  logins: (db, { userId }) =>
    db
      .selectFrom("shields")
      // Each shield's newest by its index: all together they may be millions.
      .innerJoinLateral(
        (own) =>
          own
            .selectFrom("login_entries")
            .select([
              "shield_id",
              "at",
              "verdict",
              "shadow",
              "player",
              "ip",
              "country",
              "asn",
              "network",
              "protocol",
              "host",
              "trace",
              "facts",
              "attempt",
            ])
            .whereRef("login_entries.shield_id", "=", "shields.id")
            .orderBy("at", "desc")
            .orderBy("id", "desc")
            .limit(rowsMax)
            .as("login"),
        (join) => join.onTrue(),
      )
      .selectAll("login")
      .where("owner_id", "=", userId)
      .orderBy("at", "desc")
      .limit(rowsMax)
      .execute(),

  /** Changes of own shields by anyone, and own changes of any shield. */
  history: (db, { userId }) =>
    db
      .selectFrom("shield_changes")
      .innerJoin("shields", "shields.id", "shield_changes.shield_id")
      .select([
        "shield_changes.shield_id",
        "shield_changes.area",
        "shield_changes.author_kind",
        "shield_changes.key_name",
        "shield_changes.changes",
        "shield_changes.created_at",
      ])
      .where((eb) => eb.or([eb("owner_id", "=", userId), eb("author_id", "=", userId)]))
      .orderBy("position", "desc")
      .limit(rowsMax)
      .execute(),
};

/** By hour; `kind` as the counts are stored. */
async function selectReasons(db: Executor, userId: string, kind: "r:" | "s:" | "w:") {
  const { rows } = await sql<{ shield_id: string; hour: Date; reason: string; count: string }>`
    select shield_id, hour, substr(key, 3) as reason, sum(value::bigint) as count
    from telemetry_hourly join shields on shields.id = shield_id, jsonb_each_text(reasons)
    where owner_id = ${userId} and starts_with(key, ${kind})
    group by 1, 2, 3 order by hour desc limit ${rowsMax}
  `.execute(db);
  return rows;
}
