import { sql } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";

/** The newest rows of each list; customers who need more ask the operator. */
const rowsMax = 10_000;
/** For lists that a customer maintains, so that these are complete. */
const entriesMax = 100_000;

export interface ExportSubject {
  readonly userId: string;
  readonly emailKey: string;
  /** The record of calls about the user's address, one chain for each secret of the installation. */
  readonly addressChains: readonly string[];
}

type Part = (db: Executor, subject: ExportSubject) => Promise<unknown>;

/** Everything kept about a user, by name; without secrets and hashes of secrets. */
export const exportParts: Readonly<Record<string, Part>> = {
  user: (db, { userId }) =>
    db
      .selectFrom("users")
      .select([
        "id",
        "email",
        "role",
        "locale",
        "email_verified_at",
        "privacy_accepted_at",
        "privacy_version",
        "two_factor_enabled_at",
        "created_at",
        "first_login_at",
      ])
      .where("id", "=", userId)
      .executeTakeFirst(),

  profile: (db, { userId }) =>
    db
      .selectFrom("profiles")
      .select([
        "username",
        "first_name",
        "last_name",
        "address_line_1",
        "address_line_2",
        "zip_code",
        "city",
        "country",
        "company_name",
        "vat_id",
        "email_notifications",
        "webhook_hint",
      ])
      .where("user_id", "=", userId)
      .executeTakeFirst()
      .then((row) => row ?? null),

  email_changes: (db, { userId }) =>
    db
      .selectFrom("email_changes")
      .select(["email", "created_at", "expires_at"])
      .where("user_id", "=", userId)
      .execute(),

  sessions: (db, { userId }) =>
    db
      .selectFrom("sessions")
      .select(["id", "device", "ip", "created_at", "last_seen_at", "expires_at"])
      .where("user_id", "=", userId)
      .execute(),

  known_devices: (db, { userId }) =>
    db
      .selectFrom("known_devices")
      .select(["created_at", "last_login_at"])
      .where("user_id", "=", userId)
      .execute(),

  known_networks: (db, { userId }) =>
    db
      .selectFrom("known_networks")
      .select(["network", "created_at", "last_login_at"])
      .where("user_id", "=", userId)
      .execute(),

  passkeys: (db, { userId }) =>
    db
      .selectFrom("passkeys")
      .select(["id", "name", "transports", "is_synced", "created_at", "last_used_at"])
      .where("user_id", "=", userId)
      .execute(),

  api_keys: (db, { userId }) =>
    db
      .selectFrom("api_keys")
      .select([
        "id",
        "name",
        "scope",
        "is_profile",
        "created_at",
        "last_used_at",
        "expires_at",
        "revoked_at",
      ])
      .where("user_id", "=", userId)
      .execute(),

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
      .select(["shield_id", "backend_groups.name as group", "host", "backends.port"])
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
      .select(["shield_id", "list", "address", "firewall_entries.created_at"])
      .where("owner_id", "=", userId)
      .orderBy("firewall_entries.created_at", "desc")
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

  mitigation: (db, { userId }) =>
    db
      .selectFrom("shield_mitigation")
      .innerJoin("shields", "shields.id", "shield_mitigation.shield_id")
      .select(["shield_id", "settings"])
      .where("owner_id", "=", userId)
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
      .selectFrom("traffic_hours")
      .innerJoin("shields", "shields.id", "traffic_hours.shield_id")
      .select([
        "shield_id",
        "hour",
        "joins",
        "pings",
        "refused",
        "bytes_up",
        "bytes_down",
        "player_seconds",
      ])
      .where("owner_id", "=", userId)
      .orderBy("hour", "desc")
      .limit(rowsMax)
      .execute(),

  refusals: (db, { userId }) =>
    db
      .selectFrom("traffic_refusals")
      .innerJoin("shields", "shields.id", "traffic_refusals.shield_id")
      .select(["shield_id", "hour", "reason", "count"])
      .where("owner_id", "=", userId)
      .orderBy("hour", "desc")
      .limit(rowsMax)
      .execute(),

  shadowed: (db, { userId }) =>
    db
      .selectFrom("traffic_shadowed")
      .innerJoin("shields", "shields.id", "traffic_shadowed.shield_id")
      .select(["shield_id", "hour", "reason", "count"])
      .where("owner_id", "=", userId)
      .orderBy("hour", "desc")
      .limit(rowsMax)
      .execute(),

  attacks: (db, { userId }) =>
    db
      .selectFrom("attacks")
      .innerJoin("shields", "shields.id", "attacks.shield_id")
      .select([
        "shield_id",
        "started_at",
        "ended_at",
        "peak_per_second",
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
              "protocol",
              "host",
              "trace",
              "facts",
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

  memberships: (db, { userId }) =>
    db
      .selectFrom("shield_members")
      .select(["shield_id", "role", "created_at"])
      .where("user_id", "=", userId)
      .execute(),

  shield_invitations: (db, { userId }) =>
    db
      .selectFrom("shield_invitations")
      .innerJoin("shields", "shields.id", "shield_invitations.shield_id")
      .select([
        "shield_invitations.shield_id",
        "shield_invitations.typed",
        "shield_invitations.created_at",
        "shield_invitations.expires_at",
      ])
      .where("shields.owner_id", "=", userId)
      .execute(),

  invitations_received: (db, { userId, emailKey }) =>
    db
      .selectFrom("shield_invitations")
      .select(["shield_id", "typed", "created_at", "expires_at"])
      .where((eb) => eb.or([eb("user_id", "=", userId), eb("typed_key", "=", emailKey)]))
      .execute(),

  cname_reservations: (db, { userId }) =>
    db
      .selectFrom("cname_reservations")
      .select(["cname_record", "shield_id", "created_at"])
      .where("user_id", "=", userId)
      .execute(),

  domain_proofs: (db, { userId }) =>
    db
      .selectFrom("domain_proofs")
      .select(["domain", "cname_record", "proven_at"])
      .where("user_id", "=", userId)
      .execute(),

  payments: (db, { userId }) =>
    db
      .selectFrom("payment_intents")
      .select([
        "id",
        "payment_method",
        "provider",
        "reference",
        "amount_cents",
        "bonus_cents",
        "currency",
        "status",
        "created_at",
        "settled_at",
      ])
      .where("user_id", "=", userId)
      .orderBy("created_at", "desc")
      .limit(rowsMax)
      .execute(),

  promo_claims: (db, { userId }) =>
    db
      .selectFrom("promo_claims")
      .innerJoin("promo_codes", "promo_codes.id", "promo_claims.promo_code_id")
      .select(["code", "bonus_cents", "claimed_at"])
      .where("user_id", "=", userId)
      .execute(),

  ledger: (db, { userId }) =>
    db
      .selectFrom("ledger_postings")
      .innerJoin("ledger_accounts", "ledger_accounts.id", "ledger_postings.account_id")
      .innerJoin("ledger_txns", "ledger_txns.id", "ledger_postings.txn_id")
      .select([
        "ledger_txns.kind",
        "ledger_accounts.kind as account",
        "cents",
        "note",
        "created_at",
      ])
      .where("user_id", "=", userId)
      .orderBy("created_at", "desc")
      .limit(rowsMax)
      .execute(),

  audit_log: (db, { userId, addressChains }) =>
    db
      .selectFrom("audit_log")
      .innerJoin("users", (join) => join.on("users.id", "=", userId))
      .leftJoin("audit_durations", "audit_durations.audit_id", "audit_log.id")
      .select([
        "actor_kind",
        "credential",
        "method",
        "endpoint",
        "full_url",
        "response_status",
        "ip",
        "duration_ms",
        "audit_log.created_at",
      ])
      .where("chain", "in", [`user:${userId}`, ...addressChains])
      // The address may have belonged to another account before.
      .whereRef("audit_log.created_at", ">=", "users.created_at")
      .orderBy("audit_log.created_at", "desc")
      .orderBy("seq", "desc")
      .limit(rowsMax)
      .execute(),
};
