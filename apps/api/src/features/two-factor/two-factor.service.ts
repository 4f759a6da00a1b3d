import { toDataURL } from "qrcode";
import type { Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Sealer } from "#src/platform/security/sealing.ts";
import type { AccountNotices } from "#src/features/account-notices/account-notices.service.ts";
import { requireRecentAuthentication } from "#src/platform/http/pipeline/recent-authentication.ts";
import type { BackupCodes } from "./backup-codes.service.ts";
import type { SecondFactor } from "./second-factor.service.ts";
import { matchedStep, newTotpSecret, otpauthUrl } from "./totp.ts";
import {
  claimStep,
  findTwoFactor,
  forgetSecret,
  putSecret,
  setTwoFactorEnabled,
} from "./two-factor.repository.ts";
import type { CustomerContext } from "#src/platform/http/pipeline/context.ts";
import { lockCaller } from "#src/features/users/users.service.ts";
import { raiseFactor } from "#src/features/sessions/sessions.service.ts";
import type { UserRow } from "#src/schema/accounts.ts";

export interface TwoFactorDeps {
  readonly notices: AccountNotices;
  readonly sealer: Sealer;
  readonly backupCodes: BackupCodes;
  readonly secondFactor: SecondFactor;
}

export type TwoFactorService = ReturnType<typeof createTwoFactorService>;

/** The second factor of an account. Every change holds the user's row, so they come one by one. */
export function createTwoFactorService(deps: TwoFactorDeps) {
  const { sealer, backupCodes } = deps;

  /** Runs `work` after a code of the caller was used up. */
  async function withCode<T>(
    ctx: CustomerContext,
    code: string,
    work: (trx: Trx, user: UserRow) => Promise<T>,
  ): Promise<T> {
    const { userId } = ctx.actor;
    if (!ctx.actor.hasTwoFactor) throw isOff();
    const typed = { userId, place: "session", code, now: ctx.now } as const;
    const guess = await deps.secondFactor.takeGuess(typed);
    return unitOfWork(ctx, async (trx) => {
      const user = await lockCaller(trx, ctx.actor);
      if (user.two_factor_enabled_at === null) throw isOff();
      await deps.secondFactor.spend(trx, guess);
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
        if (row?.secret == null) {
          throw new DomainError("conflict", { text: "two_factor.not_set_up" });
        }
        const step = matchedStep(sealer.open(row.secret, userId), code, ctx.now);
        if (step === undefined) throw new DomainError("invalid_code");
        await claimStep(trx, userId, step);
        await setTwoFactorEnabled(trx, userId, ctx.now);
        await raiseFactor(trx, ctx.actor, "code");
        await tell(trx, ctx, "on");
        return backupCodes.make(trx, userId, ctx.now);
      });
    },

    async disable(ctx: CustomerContext, code: string): Promise<void> {
      if (ctx.actor.role === "staff") {
        throw new DomainError("forbidden", { text: "two_factor.staff" });
      }
      if (hasPasskeys(ctx)) requireRecentAuthentication(ctx);
      await withCode(ctx, code, async (trx, user) => {
        await setTwoFactorEnabled(trx, user.id, null);
        if (hasPasskeys(ctx)) await forgetSecret(trx, user.id);
        else await backupCodes.forget(trx, user.id);
        await tell(trx, ctx, "off");
      });
    },

    /**
     * Backup codes stand in for passkeys. An account that has some makes them by a passkey: the thief
     * of its authenticator could otherwise do what only a passkey allows.
     */
    async regenerateBackupCodes(ctx: CustomerContext, code: string | undefined): Promise<string[]> {
      const make = async (trx: Trx) => {
        await deps.notices.send(trx, ctx, ctx.actor, "backup-codes-replaced");
        return backupCodes.make(trx, ctx.actor.userId, ctx.now);
      };
      if (!hasPasskeys(ctx)) {
        if (code === undefined) throw needsCode();
        return withCode(ctx, code, make);
      }
      requireRecentAuthentication(ctx);
      return unitOfWork(ctx, async (trx) => {
        await lockCaller(trx, ctx.actor);
        return make(trx);
      });
    },

    /** Runs `work` after a backup code was used up, in place of a passkey that is lost. */
    async withBackupCode<T>(
      ctx: CustomerContext,
      code: string,
      work: (trx: Trx) => Promise<T>,
    ): Promise<T> {
      const { userId } = ctx.actor;
      const typed = { userId, place: "session", code, now: ctx.now } as const;
      const guess = await deps.secondFactor.takeGuess(typed);
      return unitOfWork(ctx, async (trx) => {
        await lockCaller(trx, ctx.actor);
        await deps.secondFactor.spendBackupCode(trx, guess);
        await deps.notices.send(trx, ctx, ctx.actor, "backup-code-for-passkey");
        return work(trx);
      });
    },
  };
}

function hasPasskeys({ actor: { credential } }: CustomerContext): boolean {
  return credential.kind === "session" && credential.strongestFactor === "passkey";
}

const needsCode = () =>
  new DomainError("invalid_code", {
    text: "step_up.code",
    issues: [{ path: "code", code: "step_up.code" }],
  });
const isOn = () => new DomainError("conflict", { text: "two_factor.on" });
const isOff = () => new DomainError("conflict", { text: "two_factor.off" });
