import type { Db, Trx } from "#src/platform/database/db.ts";
import type { RequestContext } from "#src/platform/http/pipeline/context.ts";
import type { KnownCallers } from "#src/platform/http/pipeline/known-callers.ts";
import { networkOf } from "#src/platform/http/pipeline/limits.ts";
import type { AnswerCookie } from "#src/platform/http/pipeline/mount-types.ts";
import type { Keys } from "#src/platform/security/derived-key.ts";
import { hashToken } from "#src/platform/security/tokens.ts";
import { emailKeyOf } from "#src/features/users/users.service.ts";
import { createDeviceCookie } from "./device-cookie.ts";
import {
  deleteNotSeenSince,
  deleteOthers,
  deleteSurplus,
  selectFamiliarity,
  upsertCaller,
} from "./known-callers.repository.ts";

/** How long an account knows a device or network after the last login from there. */
const knownDays = 365;
const daySeconds = 86_400;

type Caller = Pick<RequestContext, "ip" | "cookie" | "now">;

export interface CallerMemory extends KnownCallers {
  /** After a login. @returns the cookie by which the device is known from now on */
  remember(trx: Trx, caller: Caller, userId: string): Promise<AnswerCookie>;
  /** After a new password: people who knew the old one are strangers again, except this caller. */
  forgetOthers(trx: Trx, caller: Caller, userId: string): Promise<void>;
  readonly deleteOld: (now: Date) => Promise<void>;
}

/** Remembers the devices and networks that each account was logged in from. */
export function createCallerMemory(deps: {
  readonly db: Db;
  readonly cookieKeys: Keys;
}): CallerMemory {
  const deviceCookie = createDeviceCookie(deps.cookieKeys);
  /** No token has an empty hash. */
  const deviceHash = (caller: Pick<Caller, "cookie">) => {
    const token = deviceCookie.read(caller);
    return token === undefined ? "" : hashToken(token);
  };

  return {
    bearsDevice: (caller) => deviceCookie.read(caller) !== undefined,

    async familiarity(caller, email) {
      const [tokenHash, network] = [deviceHash(caller), networkOf(caller.ip)];
      const emailKey = emailKeyOf(email);
      const known = await selectFamiliarity(deps.db, { emailKey, tokenHash, network });
      return {
        device: known.device === true ? tokenHash : null,
        network: known.network === true ? network : null,
      };
    },

    async remember(trx, caller, userId) {
      const token = deviceCookie.read(caller) ?? deviceCookie.newToken();
      const network = networkOf(caller.ip);
      await upsertCaller(trx, { userId, tokenHash: hashToken(token), network, now: caller.now });
      await deleteSurplus(trx, userId);
      return deviceCookie.cookie(token, knownDays * daySeconds);
    },

    async forgetOthers(trx, caller, userId) {
      const network = networkOf(caller.ip);
      await deleteOthers(trx, { userId, tokenHash: deviceHash(caller), network });
    },

    deleteOld: (now) =>
      deleteNotSeenSince(deps.db, new Date(now.getTime() - knownDays * daySeconds * 1000)),
  };
}
