import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { Sealer } from "#src/platform/security/sealing.ts";
import type { BackupCodeHashes } from "./backup-code-hashes.ts";
import { matchedStep } from "./totp.ts";
import {
  resetDayGuesses,
  resetShortGuesses,
  returnGuess,
  takeGuess,
  type GuessScope,
} from "./two-factor-guesses.repository.ts";
import { claimStep, findTwoFactor, useBackupCode } from "./two-factor.repository.ts";

export interface SecondFactorDeps {
  readonly db: Db;
  readonly sealer: Sealer;
  readonly backupCodes: Pick<BackupCodeHashes, "ofTyped">;
}

export interface TypedCode {
  readonly userId: string;
  readonly place: GuessScope;
  readonly code: string;
  readonly now: Date;
}

/** A guess that was counted; made by `takeGuess` alone. */
export interface Guess extends TypedCode {
  readonly backupHashes: readonly string[];
}

export type SecondFactor = ReturnType<typeof createSecondFactor>;

/**
 * Checks codes of authenticators and backup codes; each works once. Guesses are counted per
 * account, over all addresses. Guesses at the login need the right password; they neither end
 * sessions nor use up the guesses of live sessions or of known devices. A new password clears them (the day's at most
 * once a day), so the owner is never locked out for ever.
 */
export function createSecondFactor({ db, sealer, backupCodes }: SecondFactorDeps) {
  return {
    /**
     * To be called before `spend`, outside of its transaction: wrong codes count, and slow hashes
     * must not hold the user's row.
     */
    async takeGuess(typed: TypedCode): Promise<Guess> {
      const { userId, now } = typed;
      const nextAt = await takeGuess(db, userId, typed.place, now);
      if (nextAt === null) {
        return { ...typed, backupHashes: await backupCodes.ofTyped(db, userId, typed.code) };
      }
      const seconds = Math.max(1, Math.ceil((nextAt.getTime() - now.getTime()) / 1000));
      throw new DomainError("rate_limited", {
        text: "two_factor.throttled",
        values: { seconds },
        retryAfterSeconds: seconds,
      });
    },

    /**
     * Uses a code up. The user's row is to be locked before.
     *
     * @throws DomainError `invalid_code`
     */
    async spend(trx: Trx, guess: Guess): Promise<void> {
      const { userId } = guess;
      const row = await findTwoFactor(trx, userId);
      if (row?.secret == null) throw new DomainError("invalid_code");
      const step = matchedStep(sealer.open(row.secret, userId), guess.code, guess.now);
      const isRight =
        step === undefined
          ? await useBackupCode(trx, userId, guess.backupHashes)
          : await claimStep(trx, userId, step);
      if (!isRight) throw new DomainError("invalid_code");
      await returnGuess(trx, userId, guess.place);
    },

    /** The same for backup codes only: codes of the authenticator are refused. */
    async spendBackupCode(trx: Trx, { userId, place, backupHashes }: Guess): Promise<void> {
      const isRight = await useBackupCode(trx, userId, backupHashes);
      if (!isRight) throw new DomainError("invalid_code");
      await returnGuess(trx, userId, place);
    },
  };
}

/**
 * After a new password: a guesser who knew the old one is locked out, so the owner need not wait.
 * The day's guesses come back once a day at most: otherwise each reset would give a thief of the
 * mailbox thirty more.
 */
export async function forgiveGuesses(executor: Executor, userId: string, now: Date): Promise<void> {
  await resetShortGuesses(executor, userId);
  await resetDayGuesses(executor, userId, now);
}
