import { sql } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";

/** The texts as stored, with the limits of the shield's plan. */
export function selectMessages(db: Executor, shieldId: string) {
  return db
    .selectFrom("shield_messages")
    .innerJoin("shields", "shields.id", "shield_messages.shield_id")
    .innerJoin("pricing_plans", "pricing_plans.id", "shields.pricing_plan_id")
    .select([
      "version_info",
      "motd_line1",
      "motd_line2",
      "offline_kick_msg",
      "blacklist_msg",
      "whitelist_msg",
      "version",
      "pricing_plans.limits as plan_limits",
    ])
    .where("shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
}

export interface MessageTexts {
  readonly version_info: string;
  readonly motd_line1: string;
  readonly motd_line2: string;
  readonly offline_kick_msg: string;
  readonly blacklist_msg: string;
  readonly whitelist_msg: string;
}

export async function updateMessages(
  trx: Trx,
  shieldId: string,
  texts: MessageTexts,
): Promise<void> {
  await trx
    .updateTable("shield_messages")
    .set({
      version_info: texts.version_info,
      motd_line1: texts.motd_line1,
      motd_line2: texts.motd_line2,
      offline_kick_msg: texts.offline_kick_msg,
      blacklist_msg: texts.blacklist_msg,
      whitelist_msg: texts.whitelist_msg,
      version: sql<number>`version + 1`,
    })
    .where("shield_id", "=", shieldId)
    .execute();
}
