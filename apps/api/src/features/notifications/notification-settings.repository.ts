import { mailEvents } from "@palisade/contract/http/notification-events";
import { sql, type Selectable } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

export type StoredSettings = Omit<Selectable<Database["shield_notifications"]>, "shield_id">;

const defaults: StoredSettings = {
  email_notifications: true,
  webhook_notifications: true,
  attack_started_msg: "",
  attack_stopped_msg: "",
  mail_events: [...mailEvents],
  digest: "off",
  quiet_from: null,
  quiet_until: null,
  time_zone: "UTC",
  version: 1,
};

/** A shield whose settings were never changed has no row. */
export async function readSettings(db: Executor, shieldId: string): Promise<StoredSettings> {
  const row = await db
    .selectFrom("shield_notifications")
    .select([
      "email_notifications",
      "webhook_notifications",
      "attack_started_msg",
      "attack_stopped_msg",
      "mail_events",
      "digest",
      "quiet_from",
      "quiet_until",
      "time_zone",
      "version",
    ])
    .where("shield_id", "=", shieldId)
    .executeTakeFirst();
  return row ?? defaults;
}

export async function saveSettings(
  trx: Trx,
  shieldId: string,
  settings: Omit<StoredSettings, "version">,
): Promise<void> {
  await trx
    .insertInto("shield_notifications")
    .values({ shield_id: shieldId, version: 2, ...settings })
    .onConflict((conflict) =>
      conflict.column("shield_id").doUpdateSet({
        ...settings,
        version: sql<number>`shield_notifications.version + 1`,
      }),
    )
    .execute();
}
