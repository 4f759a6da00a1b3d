import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { Keys } from "#src/platform/security/derived-key.ts";
import type { Sealer } from "#src/platform/security/sealing.ts";
import { hashOneTimeCode } from "#src/platform/security/one-time-codes.ts";
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
  readonly codeKeys: Keys;
}

export type SecondFactor = ReturnType<typeof createSecondFactor>;

/**
 * Checks codes of authenticators and backup codes; each works once. Guesses are counted per
 * account, over all addresses. Guesses at the login need the right password; they neither end
 * sessions nor use up the guesses of live sessions or of known devices. A new password clears them (the day's at most
 * once a day), so the owner is never locked out for ever.
 */
export function createSecondFactor({ db, sealer, codeKeys }: SecondFactorDeps) {
  type Attempt = {
    readonly userId: string;
    readonly place: GuessScope;
    readonly code: string;
    readonly now: Date;
  };

  const useBackup = (trx: Trx, { userId, code }: Attempt) =>
    useBackupCode(
      trx,
      userId,
      codeKeys.map((key) => hashOneTimeCode(key, userId, code)),
    );

  return {
    /** To be called before `spend`, outside of its transaction: wrong codes count. */
    async takeGuess(userId: string, place: GuessScope, now: Date): Promise<void> {
      const nextAt = await takeGuess(db, userId, place, now);
      if (nextAt === null) return;
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
    async spend(trx: Trx, attempt: Attempt): Promise<void> {
      const { userId, code } = attempt;
      const row = await findTwoFactor(trx, userId);
      if (row?.secret == null) throw new DomainError("invalid_code");
      const step = matchedStep(sealer.open(row.secret, userId), code, attempt.now);
      const isRight =
        step === undefined ? await useBackup(trx, attempt) : await claimStep(trx, userId, step);
      if (!isRight) throw new DomainError("invalid_code");
      await returnGuess(trx, userId, attempt.place);
    },

    /** The same for backup codes only: codes of the authenticator are refused. */
    async spendBackupCode(trx: Trx, attempt: Attempt): Promise<void> {
      if (!(await useBackup(trx, attempt))) throw new DomainError("invalid_code");
      await returnGuess(trx, attempt.userId, attempt.place);
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
