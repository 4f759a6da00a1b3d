import type { Selectable } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { TwoFactorTable } from "#src/schema/accounts.ts";

export type TwoFactorRow = Selectable<TwoFactorTable>;

/** Before any step that was ever counted. */
const noStep = -1;

export async function findTwoFactor(
  executor: Executor,
  userId: string,
): Promise<TwoFactorRow | undefined> {
  return executor
    .selectFrom("two_factor")
    .selectAll()
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

/** A new secret in place of the one before it. */
export async function putSecret(trx: Trx, userId: string, sealedSecret: string): Promise<void> {
  await trx
    .insertInto("two_factor")
    .values({
      user_id: userId,
      secret: sealedSecret,
      last_step: noStep,
      codes_made_at: null,
      codes_salt: null,
      sealed_codes: null,
    })
    .onConflict((conflict) =>
      conflict.column("user_id").doUpdateSet({ secret: sealedSecret, last_step: noStep }),
    )
    .execute();
}

/** @returns false where this step or a later one was used before */
export async function claimStep(trx: Trx, userId: string, step: number): Promise<boolean> {
  const result = await trx
    .updateTable("two_factor")
    .set({ last_step: step })
    .where("user_id", "=", userId)
    .where("last_step", "<", String(step))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** @returns false where there is no such code, or another request has used it first */
export async function useBackupCode(
  trx: Trx,
  userId: string,
  /** By each key under which it may have been stored. */
  codeHashes: readonly string[],
): Promise<boolean> {
  if (codeHashes.length === 0) return false;
  const result = await trx
    .deleteFrom("backup_codes")
    .where("user_id", "=", userId)
    .where("code_hash", "in", codeHashes)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

export async function replaceBackupCodes(
  trx: Trx,
  userId: string,
  codes: {
    readonly hashes: readonly string[];
    readonly salt: string;
    readonly sealed: string;
    readonly madeAt: Date;
  },
): Promise<void> {
  const { madeAt: codes_made_at, salt: codes_salt, sealed: sealed_codes } = codes;
  const set = { codes_made_at, codes_salt, sealed_codes };
  await trx
    .insertInto("two_factor")
    .values({ user_id: userId, secret: null, last_step: noStep, ...set })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(set))
    .execute();
  await trx.deleteFrom("backup_codes").where("user_id", "=", userId).execute();
  await trx
    .insertInto("backup_codes")
    .values(codes.hashes.map((code_hash, position) => ({ user_id: userId, code_hash, position })))
    .execute();
}

/** The unused ones. */
export function listBackupCodes(executor: Executor, userId: string) {
  return executor
    .selectFrom("backup_codes")
    .select(["code_hash", "position"])
    .where("user_id", "=", userId)
    .execute();
}

/** Users whose codes are from before there were salts. */
export async function selectUnstretched(executor: Executor, limit: number): Promise<string[]> {
  const rows = await executor
    .selectFrom("two_factor")
    .select("user_id")
    .where("codes_salt", "is", null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("backup_codes")
          .select("backup_codes.user_id")
          .whereRef("backup_codes.user_id", "=", "two_factor.user_id"),
      ),
    )
    .limit(limit)
    .execute();
  return rows.map((row) => row.user_id);
}

/** In place of the hashes that were stretched. */
export async function putStretchedCodes(
  trx: Trx,
  userId: string,
  { salt, hashes }: { readonly salt: string; readonly hashes: readonly string[] },
): Promise<void> {
  await trx.deleteFrom("backup_codes").where("user_id", "=", userId).execute();
  await trx
    .insertInto("backup_codes")
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash, position: null })))
    .execute();
  await trx
    .updateTable("two_factor")
    .set({ codes_salt: salt })
    .where("user_id", "=", userId)
    .execute();
}

/** Codes that may no longer be read are kept as hashes only. */
export async function forgetSealedCodes(executor: Executor, madeBefore: Date): Promise<void> {
  await executor
    .updateTable("two_factor")
    .set({ sealed_codes: null })
    .where("codes_made_at", "<=", madeBefore)
    .where("sealed_codes", "is not", null)
    .execute();
}

/** The backup codes stay, for an account that has passkeys. */
export async function forgetSecret(trx: Trx, userId: string): Promise<void> {
  await trx
    .updateTable("two_factor")
    .set({ secret: null, last_step: noStep })
    .where("user_id", "=", userId)
    .execute();
}

/** With its backup codes. */
export async function deleteTwoFactor(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("two_factor").where("user_id", "=", userId).execute();
}

export async function setTwoFactorEnabled(trx: Trx, id: string, at: Date | null): Promise<void> {
  await trx.updateTable("users").set({ two_factor_enabled_at: at }).where("id", "=", id).execute();
}
