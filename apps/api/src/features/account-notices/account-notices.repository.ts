import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { UserRow } from "#src/schema/accounts.ts";

/** The language the user last logged in with. */
export async function selectLocale(trx: Trx, userId: string): Promise<UserRow["locale"]> {
  const row = await trx
    .selectFrom("users")
    .select("locale")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  return row.locale;
}

export function selectWebhook(db: Executor, userId: string) {
  return db
    .selectFrom("profiles")
    .select("sealed_webhook")
    .where("user_id", "=", userId)
    .where("sealed_webhook", "is not", null)
    .executeTakeFirst();
}

/** Only while it is still the same one: the user may have set a new one. */
export async function removeWebhook(
  db: Executor,
  userId: string,
  sealedWebhook: string,
): Promise<void> {
  await db
    .updateTable("profiles")
    .set({ sealed_webhook: null, webhook_hint: null })
    .where("user_id", "=", userId)
    .where("sealed_webhook", "=", sealedWebhook)
    .execute();
}
