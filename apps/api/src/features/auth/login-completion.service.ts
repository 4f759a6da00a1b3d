import type { AuthFactor } from "@palisade/contract/http/two-factor";
import type { AccountNotices } from "#src/features/account-notices/account-notices.service.ts";
import type { CallerMemory } from "#src/features/known-callers/known-callers.service.ts";
import { startSession } from "#src/features/sessions/sessions.service.ts";
import type { Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { RequestContext } from "#src/platform/http/pipeline/context.ts";
import type { AnswerCookie } from "#src/platform/http/pipeline/mount-types.ts";
import type { UserRow } from "#src/schema/accounts.ts";
import { markLoggedIn } from "./auth.repository.ts";

export interface LoggedIn {
  readonly token: string;
  readonly user: UserRow;
  readonly deviceCookie: AnswerCookie;
}

export interface ProvenLogin {
  /** As locked by the transaction. */
  readonly user: UserRow;
  /** The strongest one that the caller has proved. */
  readonly factor: AuthFactor;
  readonly familiarity: RequestContext["familiarity"];
}

export type LoginCompletion = ReturnType<typeof createLoginCompletion>;

/**
 * The last step of every login, after the caller has proved who they are: tells the owner about a
 * device or network that the account does not know yet, remembers both and begins a session.
 */
export function createLoginCompletion(deps: {
  readonly callers: CallerMemory;
  readonly notices: AccountNotices;
}) {
  return async (
    trx: Trx,
    ctx: Omit<RequestContext, "actor" | "shield">,
    { user, factor, familiarity: { device, network } }: ProvenLogin,
  ): Promise<LoggedIn> => {
    if (user.blocked_at !== null) throw new DomainError("account_blocked");
    const isFirst = user.first_login_at === null;
    if (!isFirst && (device === null || network === null)) {
      // Before the language of mails becomes that of this login, which may be a thief's.
      await deps.notices.send(trx, ctx, { userId: user.id, email: user.email }, "new-login");
    }
    // A program that names no language has none to change the person's to.
    const names = ctx.header("accept-language") !== undefined;
    const locale = names ? ctx.locale : user.locale;
    await markLoggedIn(trx, user.id, { locale, now: ctx.now });
    const deviceCookie = await deps.callers.remember(trx, ctx, user.id);
    const token = await startSession(trx, { userId: user.id, factor }, ctx);
    ctx.log.info({ user: user.id, factor }, "Logged in");
    return { token, user, deviceCookie };
  };
}
