import { randomBytes } from "node:crypto";
import type { Db } from "#src/platform/database/db.ts";
import type { Keys } from "#src/platform/security/derived-key.ts";
import { hashOneTimeCode, isCodeLong } from "#src/platform/security/one-time-codes.ts";
import type { Passwords } from "#src/platform/security/passwords.ts";
import {
  findTwoFactor,
  listBackupCodes,
  putStretchedCodes,
  selectUnstretched,
} from "./two-factor.repository.ts";
import { lockUser } from "#src/features/users/users.service.ts";

const saltBytes = 16;
/** A third of a second of a core for each, once an hour. */
const accountsAtOnce = 100;

export type BackupCodeHashes = ReturnType<typeof createBackupCodeHashes>;

/**
 * A code has 40 bits, so it is kept as a slow hash of a keyed one. A reader of the database needs the
 * installation's secret, too, and then argon2 for every guess.
 */
export function createBackupCodeHashes(deps: {
  readonly passwords: Pick<Passwords, "stretch">;
  readonly codeKeys: Keys;
}) {
  const { passwords, codeKeys } = deps;

  async function stretched(keyedHashes: readonly string[], salt: string): Promise<string[]> {
    return Promise.all(keyedHashes.map((hash) => passwords.stretch(hash, salt)));
  }

  return {
    async ofNew(userId: string, codes: readonly string[]) {
      const salt = newSalt();
      const keyed = codes.map((code) => hashOneTimeCode(codeKeys[0], userId, code));
      return { salt, hashes: await stretched(keyed, salt) };
    },

    /** By each key under which it may have been stored; none for what is no backup code. */
    async ofTyped(db: Db, userId: string, code: string): Promise<string[]> {
      if (!isCodeLong(code)) return [];
      const salt = (await findTwoFactor(db, userId))?.codes_salt ?? null;
      const keyed = codeKeys.map((key) => hashOneTimeCode(key, userId, code));
      return salt === null ? keyed : stretched(keyed, salt);
    },

    /** Stretches the hashes from before there were salts. */
    async stretchOld(db: Db): Promise<void> {
      for (const userId of await selectUnstretched(db, accountsAtOnce)) {
        await db.transaction().execute(async (trx) => {
          await lockUser(trx, userId);
          const kept = await listBackupCodes(trx, userId);
          if (kept.length === 0 || (await findTwoFactor(trx, userId))?.codes_salt !== null) return;
          const salt = newSalt();
          const keyed = kept.map(({ code_hash }) => code_hash);
          await putStretchedCodes(trx, userId, { salt, hashes: await stretched(keyed, salt) });
        });
      }
    },
  };
}

function newSalt(): string {
  return randomBytes(saltBytes).toString("base64url");
}
