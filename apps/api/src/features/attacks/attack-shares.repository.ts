import { sql } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { hashToken } from "#src/platform/security/tokens.ts";

const shareColumns = ["attack_shares.id", "attack_shares.created_at", "expires_at"] as const;

/** Newest first, without those that have ended. */
export function selectShares(db: Executor, attackId: string, now: Date) {
  return db
    .selectFrom("attack_shares")
    .select(shareColumns)
    .where("attack_id", "=", attackId)
    .where("expires_at", ">", now)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

export function insertShare(
  trx: Trx,
  share: {
    readonly id: string;
    readonly attackId: string;
    readonly token: string;
    readonly createdAt: Date;
    readonly expiresAt: Date;
  },
) {
  return trx
    .insertInto("attack_shares")
    .values({
      id: share.id,
      attack_id: share.attackId,
      token_hash: hashToken(share.token),
      created_at: share.createdAt,
      expires_at: share.expiresAt,
    })
    .returning(shareColumns)
    .executeTakeFirstOrThrow();
}

/** @returns whether there was one */
export async function deleteShare(
  trx: Trx,
  of: { readonly shieldId: string; readonly attackId: string; readonly shareId: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from attack_shares using attacks
    where attacks.id = attack_shares.attack_id and attack_shares.id = ${of.shareId}
      and attacks.id = ${of.attackId} and attacks.shield_id = ${of.shieldId}
  `.execute(trx);
  return numAffectedRows === 1n;
}

/** Holds the attack until `trx` ends, so that links are counted one after the other. */
export async function holdAttack(
  trx: Trx,
  of: { readonly shieldId: string; readonly attackId: string },
): Promise<boolean> {
  const row = await trx
    .selectFrom("attacks")
    .select("id")
    .where("id", "=", of.attackId)
    .where("shield_id", "=", of.shieldId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** The attack behind a link that has not ended, of a shield that still exists. */
export function selectSharedAttack(db: Executor, token: string, now: Date) {
  return db
    .selectFrom("attack_shares")
    .innerJoin("attacks", "attacks.id", "attack_shares.attack_id")
    .innerJoin("shields", "shields.id", "attacks.shield_id")
    .select(["attacks.id as attackId", "shields.id as shieldId", "expires_at"])
    .where("token_hash", "=", hashToken(token))
    .where("expires_at", ">", now)
    .where("shields.status", "<>", "deleted")
    .executeTakeFirst();
}

export async function deleteExpiredShares(db: Executor, now: Date): Promise<void> {
  await db.deleteFrom("attack_shares").where("expires_at", "<=", now).execute();
}
