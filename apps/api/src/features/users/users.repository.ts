import type { StaffRole } from "@palisade/contract/http/staff-roles";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { UserActor } from "#src/platform/http/pipeline/context.ts";
import type { UserRow } from "#src/schema/accounts.ts";

export async function selectUserByEmailKey(
  executor: Executor,
  emailKey: string,
): Promise<UserRow | undefined> {
  return executor
    .selectFrom("users")
    .selectAll()
    .where("email_key", "=", emailKey)
    .executeTakeFirst();
}

export async function selectUserForUpdate(trx: Trx, id: string): Promise<UserRow | undefined> {
  return trx
    .selectFrom("users")
    .selectAll()
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function selectAccount(
  executor: Executor,
  id: string,
): Promise<{ readonly id: string } | undefined> {
  return executor
    .selectFrom("users")
    .select("id")
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
}

/** No roles make the account a customer. */
export async function setStaffRoles(
  executor: Executor,
  id: string,
  staffRoles: readonly StaffRole[],
): Promise<void> {
  await executor
    .updateTable("users")
    .set({ role: staffRoles.length === 0 ? "customer" : "staff", staff_roles: staffRoles })
    .where("id", "=", id)
    .execute();
}

/** Whether the session still exists, or the key is not revoked. */
export async function hasCredential(
  trx: Trx,
  { kind, id }: UserActor["credential"],
): Promise<boolean> {
  // A view changes nothing.
  if (kind === "view") return false;
  const row =
    kind === "session"
      ? await trx.selectFrom("sessions").select("id").where("id", "=", id).executeTakeFirst()
      : await trx
          .selectFrom("api_keys")
          .select("id")
          .where("id", "=", id)
          .where("revoked_at", "is", null)
          .executeTakeFirst();
  return row !== undefined;
}
