import type { SettingArea } from "@palisade/contract/http/history";
import type { Insertable } from "kysely";
import { sql } from "kysely";
import type { Db, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

export interface StoredArea {
  readonly area: SettingArea;
  readonly digest: string;
  /** JSON text. */
  readonly settings: string;
}

/** The stored settings of each area whose digest is another, and the areas that are stored at all. */
export async function selectOutdated(
  trx: Trx,
  shieldId: string,
  current: readonly StoredArea[],
): Promise<{ readonly area: SettingArea; readonly settings: string | null }[]> {
  const digests = current.map(({ digest }) => digest);
  return trx
    .selectFrom("shield_settings")
    .select([
      "area",
      // An area that has not changed may be a long list.
      sql<string | null>`case when digest = any(${digests}) then null else settings end`.as(
        "settings",
      ),
    ])
    .where("shield_id", "=", shieldId)
    .execute();
}

export async function storeSettings(
  trx: Trx,
  shieldId: string,
  areas: readonly StoredArea[],
): Promise<void> {
  await trx
    .insertInto("shield_settings")
    .values(areas.map((area) => ({ shield_id: shieldId, ...area })))
    .onConflict((conflict) =>
      conflict.columns(["shield_id", "area"]).doUpdateSet((eb) => ({
        digest: eb.ref("excluded.digest"),
        settings: eb.ref("excluded.settings"),
      })),
    )
    .execute();
}

/** The account's relation to the shield, and the name of the key it used. */
export function selectAuthor(
  trx: Trx,
  of: { readonly shieldId: string; readonly userId: string; readonly apiKeyId: string | null },
) {
  return trx
    .selectFrom("users")
    .leftJoin("shield_members", (join) =>
      join
        .onRef("shield_members.user_id", "=", "users.id")
        .on("shield_members.shield_id", "=", of.shieldId),
    )
    .leftJoin("api_keys", (join) =>
      join.onRef("api_keys.user_id", "=", "users.id").on("api_keys.id", "=", of.apiKeyId),
    )
    .select(["shield_members.role", "api_keys.name as key_name"])
    .where("users.id", "=", of.userId)
    .executeTakeFirst();
}

export async function insertChanges(
  trx: Trx,
  rows: readonly Insertable<Database["shield_changes"]>[],
): Promise<void> {
  await trx
    .insertInto("shield_changes")
    .values([...rows])
    .execute();
}

export async function deleteChangesBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom("shield_changes").where("created_at", "<", before).execute();
}
