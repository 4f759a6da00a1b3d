import { sql, type Insertable, type Selectable, type Updateable } from "kysely";

import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

export type IncidentRow = Selectable<Database["status_incidents"]>;
export type UpdateRow = Pick<
  Selectable<Database["status_updates"]>,
  "id" | "incident_id" | "state" | "text_en" | "text_ru" | "created_at"
>;

export async function insertIncident(
  trx: Trx,
  row: Insertable<Database["status_incidents"]>,
): Promise<void> {
  await trx.insertInto("status_incidents").values(row).execute();
}

export function lockIncident(trx: Trx, id: string): Promise<IncidentRow | undefined> {
  return trx
    .selectFrom("status_incidents")
    .selectAll()
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
}

export async function changeIncident(
  trx: Trx,
  id: string,
  changed: Updateable<Database["status_incidents"]>,
): Promise<void> {
  await trx.updateTable("status_incidents").set(changed).where("id", "=", id).execute();
}

/** The incident has to be locked: positions count up. */
export async function insertUpdate(
  trx: Trx,
  row: Omit<Insertable<Database["status_updates"]>, "position">,
): Promise<void> {
  const position = sql<number>`(
    select coalesce(max(position), 0) + 1 from status_updates where incident_id = ${row.incident_id}
  )`;
  await trx
    .insertInto("status_updates")
    .values({ ...row, position })
    .execute();
}

/** Those that have not ended, and those that ended since the given time. */
export function selectIncidents(db: Executor, since: Date, max: number): Promise<IncidentRow[]> {
  return db
    .selectFrom("status_incidents")
    .selectAll()
    .where((eb) => eb.or([eb("ended_at", "is", null), eb("ended_at", ">=", since)]))
    .orderBy("starts_at", "desc")
    .orderBy("id", "desc")
    .limit(max)
    .execute();
}

export function selectIncident(db: Executor, id: string): Promise<IncidentRow | undefined> {
  return db.selectFrom("status_incidents").selectAll().where("id", "=", id).executeTakeFirst();
}

/** The newest first. */
export function selectUpdates(db: Executor, incidentIds: readonly string[]): Promise<UpdateRow[]> {
  if (incidentIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom("status_updates")
    .select(["id", "incident_id", "state", "text_en", "text_ru", "created_at"])
    .where("incident_id", "in", incidentIds)
    .orderBy("position", "desc")
    .execute();
}

/** Locks maintenances whose next step is due, apart from those that another process has locked. */
export function lockDueMaintenances(
  trx: Trx,
  due: { readonly now: Date; readonly remindBefore: Date; readonly plannedBefore: Date },
): Promise<IncidentRow[]> {
  const { now, remindBefore, plannedBefore } = due;
  return trx
    .selectFrom("status_incidents")
    .selectAll()
    .where("kind", "=", "maintenance")
    .where("ended_at", "is", null)
    .where((eb) =>
      eb.or([
        eb.and([eb("state", "=", "in_progress"), eb("ends_at", "<=", now)]),
        eb.and([eb("state", "=", "scheduled"), eb("starts_at", "<=", now)]),
        eb.and([
          eb("state", "=", "scheduled"),
          eb("starts_at", "<=", remindBefore),
          eb("reminded_at", "is", null),
          eb("created_at", "<=", plannedBefore),
        ]),
      ]),
    )
    .orderBy("id")
    .forUpdate()
    .skipLocked()
    .execute();
}

/** Takes the update for its announcement; undefined where it was announced. */
export function takeAnnouncement(trx: Trx, updateId: string, now: Date) {
  return trx
    .updateTable("status_updates")
    .set({ announced_at: now })
    .where("id", "=", updateId)
    .where("announced_at", "is", null)
    .returning(["incident_id"])
    .executeTakeFirst();
}

export function selectUpdate(db: Executor, updateId: string) {
  return db
    .selectFrom("status_updates")
    .select(["id", "incident_id", "state", "text_en", "text_ru", "created_at"])
    .where("id", "=", updateId)
    .executeTakeFirst();
}

export function selectLocationNames(db: Executor) {
  return db
    .selectFrom("locations")
    .select(["name", "display_name", "translations"])
    .orderBy("position")
    .orderBy("name")
    .execute();
}
