import { toDataURL } from "qrcode";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Keys } from "#src/platform/security/derived-key.ts";
import type { Sealer } from "#src/platform/security/sealing.ts";
import type { AccountNotices } from "#src/features/account-notices/account-notices.service.ts";
import { hashOneTimeCode, newOneTimeCode } from "#src/platform/security/one-time-codes.ts";
import { isRecentlyAuthenticated } from "#src/platform/http/pipeline/recent-authentication.ts";
import type { SecondFactor } from "./second-factor.service.ts";
import { matchedStep, newTotpSecret, otpauthUrl } from "./totp.ts";
import {
  claimStep,
  deleteTwoFactor,
  findTwoFactor,
  listBackupCodeHashes,
  putSecret,
  replaceBackupCodes,
  setTwoFactorEnabled,
} from "./two-factor.repository.ts";
import type { CustomerContext } from "#src/platform/http/pipeline/context.ts";
import { lockCaller } from "#src/features/users/users.service.ts";
import { raiseFactor } from "#src/features/sessions/sessions.service.ts";
import type { UserRow } from "#src/schema/accounts.ts";

const backupCodes = 10;
/** How long codes can be read again. */
export const codesReadableMs = 600_000;

export interface TwoFactorDeps {
  readonly db: Db;
  readonly notices: AccountNotices;
  readonly sealer: Sealer;
  readonly codeKeys: Keys;
  readonly secondFactor: SecondFactor;
}

export type TwoFactorService = ReturnType<typeof createTwoFactorService>;

/** The second factor of an account. Every change holds the user's row, so they come one by one. */
export function createTwoFactorService(deps: TwoFactorDeps) {
  const { db, sealer, codeKeys } = deps;

  async function makeBackupCodes(trx: Trx, userId: string, now: Date): Promise<string[]> {
    const codes = [...newDistinctCodes(backupCodes)];
    await replaceBackupCodes(trx, userId, {
      hashes: codes.map((code) => hashOneTimeCode(codeKeys[0], userId, code)),
      sealed: sealer.seal(JSON.stringify(codes), userId),
      madeAt: now,
    });
    return codes;
  }

  /** Runs `work` after a code of the caller was used up. */
  async function withCode<T>(
    ctx: CustomerContext,
    code: string,
    work: (trx: Trx, user: UserRow) => Promise<T>,
  ): Promise<T> {
    const { userId } = ctx.actor;
    if (!ctx.actor.hasTwoFactor) throw isOff();
    await deps.secondFactor.takeGuess(userId, "session", ctx.now);
    return unitOfWork(ctx, async (trx) => {
      const user = await lockCaller(trx, ctx.actor);
      if (user.two_factor_enabled_at === null) throw isOff();
      await deps.secondFactor.spend(trx, { userId, place: "session", code, now: ctx.now });
      return work(trx, user);
    });
  }

  const tell = (trx: Trx, ctx: CustomerContext, change: "on" | "off") =>
    deps.notices.send(trx, ctx, ctx.actor, `two-factor-${change}`);

  return {
    withCode,

    async setUp(ctx: CustomerContext) {
      const { userId, email } = ctx.actor;
      const secret = newTotpSecret();
      const url = otpauthUrl(secret, email);
      const qrCode = await toDataURL(url, { errorCorrectionLevel: "M", margin: 2, width: 264 });
      await unitOfWork(ctx, async (trx) => {
        const user = await lockCaller(trx, ctx.actor);
        if (user.two_factor_enabled_at !== null) throw isOn();
        await putSecret(trx, userId, sealer.seal(secret, userId));
      });
      return { secret, qr_code: qrCode, otpauth_url: url };
    },

    /**
     * The contract demands recent authentication here. Otherwise the thief of a session could
     * enable a secret of their own, lock the owner out and step up with its codes.
     */
    async enable(ctx: CustomerContext, code: string): Promise<string[]> {
      const { userId } = ctx.actor;
      return unitOfWork(ctx, async (trx) => {
        const user = await lockCaller(trx, ctx.actor);
        if (user.two_factor_enabled_at !== null) throw isOn();
        const row = await findTwoFactor(trx, userId);
        if (row === undefined) throw new DomainError("conflict", { text: "two_factor.not_set_up" });
        const step = matchedStep(sealer.open(row.secret, userId), code, ctx.now);
        if (step === undefined) throw new DomainError("invalid_code");
        await claimStep(trx, userId, step);
        await setTwoFactorEnabled(trx, userId, ctx.now);
        await raiseFactor(trx, ctx.actor, "code");
        await tell(trx, ctx, "on");
        return makeBackupCodes(trx, userId, ctx.now);
      });
    },

    async disable(ctx: CustomerContext, code: string): Promise<void> {
      if (ctx.actor.role === "staff") {
        throw new DomainError("forbidden", { text: "two_factor.staff" });
      }
      await withCode(ctx, code, async (trx, user) => {
        await setTwoFactorEnabled(trx, user.id, null);
        await deleteTwoFactor(trx, user.id);
        await tell(trx, ctx, "off");
      });
    },

    regenerateBackupCodes(ctx: CustomerContext, code: string): Promise<string[]> {
      return withCode(ctx, code, async (trx, user) => {
        await deps.notices.send(trx, ctx, ctx.actor, "backup-codes-replaced");
        return makeBackupCodes(trx, user.id, ctx.now);
      });
    },

    /** The unused codes while they may be read, by a session that proved itself; else their number. */
    async readBackupCodes(ctx: CustomerContext) {
      const { userId } = ctx.actor;
      const row = await findTwoFactor(db, userId);
      const hashes = new Set(await listBackupCodeHashes(db, userId));
      const madeAt = row?.codes_made_at ?? null;
      const isReadable = madeAt !== null && ctx.now.getTime() < madeAt.getTime() + codesReadableMs;
      const sealed = isReadable && isRecentlyAuthenticated(ctx) ? row?.sealed_codes : undefined;
      // Sealed by makeBackupCodes, and nothing else opens.
      const codes = sealed == null ? [] : (JSON.parse(sealer.open(sealed, userId)) as string[]);
      return {
        backup_codes: codes.filter((code) =>
          codeKeys.some((key) => hashes.has(hashOneTimeCode(key, userId, code))),
        ),
        left: hashes.size,
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

const isOn = () => new DomainError("conflict", { text: "two_factor.on" });
const isOff = () => new DomainError("conflict", { text: "two_factor.off" });
