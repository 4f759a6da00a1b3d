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

export async function setRole(
  executor: Executor,
  id: string,
  role: UserRow["role"],
): Promise<void> {
  await executor.updateTable("users").set({ role }).where("id", "=", id).execute();
}

/** Whether the session still exists, or the key is not revoked. */
export async function hasCredential(
  trx: Trx,
  { kind, id }: UserActor["credential"],
): Promise<boolean> {
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
