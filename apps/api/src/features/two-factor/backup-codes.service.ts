import type { Db, Trx } from "#src/platform/database/db.ts";
import type { CustomerContext } from "#src/platform/http/pipeline/context.ts";
import { isRecentlyAuthenticated } from "#src/platform/http/pipeline/recent-authentication.ts";
import { newOneTimeCode } from "#src/platform/security/one-time-codes.ts";
import type { Sealer } from "#src/platform/security/sealing.ts";
import type { BackupCodeHashes } from "./backup-code-hashes.ts";
import {
  deleteTwoFactor,
  findTwoFactor,
  listBackupCodes,
  replaceBackupCodes,
} from "./two-factor.repository.ts";

const codesMade = 10;
/** How long codes can be read again. */
export const codesReadableMs = 600_000;

export interface BackupCodesDeps {
  readonly db: Db;
  readonly sealer: Sealer;
  readonly hashes: Pick<BackupCodeHashes, "ofNew">;
}

export type BackupCodes = ReturnType<typeof createBackupCodes>;

/**
 * The backup codes of an account. They stand in for its authenticator and for its passkeys, so that
 * an owner who has lost these needs no operator.
 */
export function createBackupCodes({ db, sealer, hashes }: BackupCodesDeps) {
  async function make(trx: Trx, userId: string, now: Date): Promise<string[]> {
    const codes = [...newDistinctCodes(codesMade)];
    await replaceBackupCodes(trx, userId, {
      ...(await hashes.ofNew(userId, codes)),
      sealed: sealer.seal(JSON.stringify(codes), userId),
      madeAt: now,
    });
    return codes;
  }

  return {
    /** In place of the ones before. */
    make,

    /** @returns none where the account still has unused ones */
    async makeMissing(trx: Trx, userId: string, now: Date): Promise<string[]> {
      const left = await listBackupCodes(trx, userId);
      return left.length > 0 ? [] : make(trx, userId, now);
    },

    /** For an account that has no second factor any more. */
    forget: (trx: Trx, userId: string): Promise<void> => deleteTwoFactor(trx, userId),

    /** The unused codes while they may be read, by a session that proved itself; else their number. */
    async read(ctx: CustomerContext) {
      const { userId } = ctx.actor;
      const row = await findTwoFactor(db, userId);
      const unused = await listBackupCodes(db, userId);
      const places = new Set(unused.map(({ position }) => position));
      const madeAt = row?.codes_made_at ?? null;
      const isReadable = madeAt !== null && ctx.now.getTime() < madeAt.getTime() + codesReadableMs;
      const sealed = isReadable && isRecentlyAuthenticated(ctx) ? row?.sealed_codes : undefined;
      // Sealed by `make`, and nothing else opens.
      const codes = sealed == null ? [] : (JSON.parse(sealer.open(sealed, userId)) as string[]);
      return {
        backup_codes: codes.filter((_, place) => places.has(place)),
        left: unused.length,
        made_at: madeAt?.toISOString() ?? null,
      };
    },
  };
}

function newDistinctCodes(count: number): Set<string> {
  const codes = new Set<string>();
  while (codes.size < count) codes.add(newOneTimeCode());
  return codes;
}
