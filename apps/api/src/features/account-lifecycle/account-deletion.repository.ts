import { emptyShields } from "#src/features/shields/shield-purge.service.ts";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { UserRow } from "#src/schema/accounts.ts";

/** Until `trx` ends, the user cannot add anything, not even a shield or a payment. */
export function lockUserWhole(trx: Trx, id: string): Promise<UserRow> {
  return trx
    .selectFrom("users")
    .selectAll()
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function hasShields(db: Executor, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom("shields")
    .select("id")
    .where("owner_id", "=", userId)
    .where("status", "<>", "deleted")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** A checkout that may still bring money, or one under review. */
export async function hasOpenPayment(db: Executor, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom("payment_intents")
    .select("id")
    .where("user_id", "=", userId)
    .where("status", "in", ["pending", "review"])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const personalTables = [
  "sessions",
  "staff_views",
  "known_devices",
  "known_networks",
  "api_keys",
  "profiles",
  "email_changes",
  "email_confirmations",
  "password_resets",
  "two_factor",
  "two_factor_guesses",
  "passkeys",
  "shield_members",
  "log_intervals",
  "shield_invitations",
  "domain_proofs",
  "support_subscriptions",
  "plan_change_quotes",
  "automatic_top_ups",
  "vat_id_checks",
  "vat_evidence",
] as const;

/** Deletes the personal data of an account; ledger, shields and audit log keep only its id. */
export async function removePerson(
  trx: Trx,
  userId: string,
  remains: { readonly passwordHash: string; readonly now: Date },
): Promise<void> {
  for (const table of personalTables) {
    await trx.deleteFrom(table).where("user_id", "=", userId).execute();
  }
  // Invitations sent to the address before it had an account refer to no user.
  await trx
    .deleteFrom("shield_invitations")
    .where("typed_key", "=", (eb) =>
      eb.selectFrom("users").select("email_key").where("id", "=", userId),
    )
    .execute();
  await emptyShieldsOf(trx, userId);
  // Their stored answers may name the person.
  await trx.deleteFrom("idempotency_keys").where("actor", "=", `user:${userId}`).execute();
  const email = `deleted-${userId}@invalid`;
  await trx
    .updateTable("users")
    .set({
      email,
      email_key: email,
      password_hash: remains.passwordHash,
      role: "customer",
      staff_roles: [],
      locale: "en",
      two_factor_enabled_at: null,
      deleted_at: remains.now,
    })
    .where("id", "=", userId)
    .execute();
}

/**
 * All of them are already deleted. Ledger and statistics still refer to their ids, and their labels
 * are never issued again; everything that the owner wrote into them goes.
 */
async function emptyShieldsOf(trx: Trx, ownerId: string): Promise<void> {
  const rows = await trx
    .selectFrom("shields")
    .select("id")
    .where("owner_id", "=", ownerId)
    .execute();
  await emptyShields(
    trx,
    rows.map(({ id }) => id),
  );
  await trx
    .updateTable("shields")
    .set({ server_name: "" })
    .where("owner_id", "=", ownerId)
    .execute();
}
