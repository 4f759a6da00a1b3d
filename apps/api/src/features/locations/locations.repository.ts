import { sql, type Insertable, type Updateable } from "kysely";
import { isRecent } from "#src/features/liveness/liveness.service.ts";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

export type LocationRow = Awaited<ReturnType<typeof selectLocations>>[number];

const enrolled = sql`edges.location = locations.name and kind = 'edge'
  and enrolled_at is not null and revoked_at is null`;

/** All, also retired ones. */
export function selectLocations(db: Executor) {
  return db
    .selectFrom("locations")
    .select([
      "name",
      "display_name",
      "translations",
      "flag_url",
      "position",
      "retired_at",
      sql<string>`(select count(*) from edges where ${enrolled})`.as("edges"),
      sql<string>`(select count(*) from edges where ${enrolled}
        and ${isRecent("edges.last_seen_at")})`.as("edges_online"),
      sql<string>`(select count(*) from shields
        where location = locations.name and status <> 'deleted')`.as("shields"),
    ])
    .orderBy("position")
    .orderBy("name")
    .execute();
}

/** @returns false if there is a location of that name */
export async function insertLocation(
  trx: Trx,
  location: Insertable<Database["locations"]>,
): Promise<boolean> {
  const result = await trx
    .insertInto("locations")
    .values(location)
    .onConflict((conflict) => conflict.column("name").doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export function lockLocation(trx: Trx, name: string) {
  return trx
    .selectFrom("locations")
    .select(["translations", "retired_at"])
    .where("name", "=", name)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function updateLocation(
  trx: Trx,
  name: string,
  changes: Updateable<Database["locations"]>,
): Promise<void> {
  await trx.updateTable("locations").set(changes).where("name", "=", name).execute();
}
