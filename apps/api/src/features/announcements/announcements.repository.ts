import type { Insertable, Selectable, Updateable } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

export type AnnouncementRow = Selectable<Database["announcements"]>;

/** Shown at `now`: the newest first. */
export function selectShown(db: Executor, now: Date): Promise<AnnouncementRow[]> {
  return db
    .selectFrom("announcements")
    .selectAll()
    .where("starts_at", "<=", now)
    .where((eb) => eb.or([eb("ends_at", "is", null), eb("ends_at", ">", now)]))
    .orderBy("starts_at", "desc")
    .limit(10)
    .execute();
}

export function selectAnnouncements(db: Executor): Promise<AnnouncementRow[]> {
  return db
    .selectFrom("announcements")
    .selectAll()
    .orderBy("starts_at", "desc")
    .limit(200)
    .execute();
}

export async function insertAnnouncement(
  trx: Trx,
  row: Insertable<Database["announcements"]>,
): Promise<AnnouncementRow> {
  return trx.insertInto("announcements").values(row).returningAll().executeTakeFirstOrThrow();
}

export function updateAnnouncement(
  trx: Trx,
  id: string,
  changes: Updateable<Database["announcements"]>,
): Promise<AnnouncementRow | undefined> {
  return trx
    .updateTable("announcements")
    .set(changes)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
}

/** @returns false if there is none */
export async function deleteAnnouncement(trx: Trx, id: string): Promise<boolean> {
  const result = await trx.deleteFrom("announcements").where("id", "=", id).executeTakeFirst();
  return result.numDeletedRows === 1n;
}
