import type { Trx } from "#src/platform/database/db.ts";
import type { UserActor } from "#src/platform/http/pipeline/context.ts";

/** Whether nobody has ended the session or revoked the key. */
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
