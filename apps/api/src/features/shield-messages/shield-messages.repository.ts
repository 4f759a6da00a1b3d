import { sql, type Selectable } from "kysely";
import { faviconPng } from "#src/features/favicons/favicons.service.ts";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

/** The texts as stored, with the limits of the shield's plan. */
export function selectMessages(db: Executor, shieldId: string) {
  return db
    .selectFrom("shield_messages")
    .innerJoin("shields", "shields.id", "shield_messages.shield_id")
    .innerJoin("pricing_plans", "pricing_plans.id", "shields.pricing_plan_id")
    .selectAll("shield_messages")
    .select("pricing_plans.limits as plan_limits")
    .where("shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
}

/** The uploaded picture, or else the icon of the shield's backends. */
export function selectImage(db: Executor, shieldId: string) {
  const favicon = faviconPng(sql.ref("shield_messages.shield_id"));
  return db
    .selectFrom("shield_messages")
    .select(sql<Buffer | null>`coalesce(offline_image, ${favicon})`.as("image"))
    .where("shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
}

export type MessageTexts = Omit<Selectable<Database["shield_messages"]>, "shield_id" | "version">;

export async function updateMessages(
  trx: Trx,
  shieldId: string,
  texts: MessageTexts,
): Promise<void> {
  await trx
    .updateTable("shield_messages")
    .set({ ...texts, version: sql<number>`version + 1` })
    .where("shield_id", "=", shieldId)
    .execute();
}
