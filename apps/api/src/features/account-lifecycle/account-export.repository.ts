import { rowsMax, type ExportPart } from "./export-part.ts";
import { shieldExportParts } from "./shield-export.repository.ts";
import { ticketExportParts } from "./ticket-export.repository.ts";

/** Everything kept about a user, by name; without secrets and hashes of secrets. */
export const exportParts: Readonly<Record<string, ExportPart>> = {
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

  support_subscriptions: (db, { userId }) =>
    db
      .selectFrom("support_subscriptions")
      .innerJoin("support_plans", "support_plans.id", "support_subscriptions.support_plan_id")
      .select([
        "support_plans.slug as plan",
        "support_subscriptions.price_cents",
        "period",
        "period_starts_at",
        "period_ends_at",
        "support_subscriptions.created_at",
      ])
      .where("user_id", "=", userId)
      .execute(),

  automatic_top_ups: (db, { userId }) =>
    db
      .selectFrom("automatic_top_ups")
      .select(["enabled", "threshold_cents", "amount_cents", "updated_at"])
      .where("user_id", "=", userId)
      .execute(),

  staff_orders: (db, { userId }) =>
    db
      .selectFrom("staff_orders")
      .select(["kind", "cents", "ordered_at", "status", "decided_at"])
      .where("user_id", "=", userId)
      .execute(),

  quarantined_payments: (db, { userId }) =>
    db
      .selectFrom("quarantined_payments")
      .select(["provider", "reference", "amount_cents", "currency", "found_at", "status"])
      .where("user_id", "=", userId)
      .execute(),

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

  ...shieldExportParts,
  ...ticketExportParts,

  log_intervals: (db, { userId }) =>
    db
      .selectFrom("log_intervals")
      .select(["shield_id", "seconds"])
      .where("user_id", "=", userId)
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

  saved_cards: (db, { userId }) =>
    db
      .selectFrom("saved_cards")
      .select(["brand", "last4", "exp_month", "exp_year", "created_at", "removed_at"])
      .where("user_id", "=", userId)
      .execute(),

  payment_refunds: (db, { userId }) =>
    db
      .selectFrom("payment_refunds")
      .innerJoin("payment_intents", "payment_intents.id", "payment_refunds.intent_id")
      .select(["payment_refunds.cents", "payment_refunds.status", "payment_refunds.created_at"])
      .where("user_id", "=", userId)
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

  documents: (db, { userId }) =>
    db
      .selectFrom("documents")
      .select([
        "kind",
        "year",
        "number",
        "buyer",
        "tax",
        "subject",
        "net_cents",
        "tax_cents",
        "total_cents",
        "supplied_at",
        "issued_at",
      ])
      .where("user_id", "=", userId)
      .orderBy("issued_at", "desc")
      .limit(rowsMax)
      .execute(),

  documents_due: (db, { userId }) =>
    db
      .selectFrom("documents_due")
      .select(["kind", "buyer", "tax", "created_at"])
      .where("user_id", "=", userId)
      .limit(rowsMax)
      .execute(),

  vat_id_checks: (db, { userId }) =>
    db
      .selectFrom("vat_id_checks")
      .select(["country", "vat_id", "is_valid", "answered_at", "name", "reference"])
      .where("user_id", "=", userId)
      .execute(),

  vat_evidence: (db, { userId }) =>
    db
      .selectFrom("vat_evidence")
      .select(["source", "country", "seen_at"])
      .where("user_id", "=", userId)
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
