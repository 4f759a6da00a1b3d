import type { AuthFactor } from "@palisade/contract/http/two-factor";
import type { AccountSession } from "@palisade/contract/http/account";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type {
  CustomerContext,
  RequestContext,
  UserActor,
} from "#src/platform/http/pipeline/context.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import { newToken, tokenPrefixes } from "#src/platform/security/tokens.ts";
import { deviceName } from "./device-name.ts";
import {
  deleteAllSessions,
  deleteOldestSessions,
  deleteSession,
  deleteSessionOf,
  deleteSessionsOf,
  insertSession,
  replaceToken,
  selectSessionsOf,
  updateFactor,
} from "./sessions.repository.ts";

/** More than people have browsers; a program that logs in each time does not fill the table. */
export const sessionsMax = 50;

/** @returns the bearer token of the new session; the account's least used one ends where there are too many */
export async function startSession(
  trx: Trx,
  login: { readonly userId: string; readonly factor: AuthFactor },
  { device, ip, now }: Pick<RequestContext, "device" | "ip" | "now">,
): Promise<string> {
  const token = newToken(tokenPrefixes.session);
  await insertSession(trx, { id: newId(), ...login, token, device, ip, now });
  await deleteOldestSessions(trx, login.userId, sessionsMax);
  return token;
}

/** Ends every session of the user, including the one that makes the call. */
export function endSessions(trx: Trx, userId: string): Promise<void> {
  return deleteSessionsOf(trx, userId);
}

/** Ends the sessions of every account. */
export function endAllSessions(trx: Trx): Promise<void> {
  return deleteAllSessions(trx);
}

/**
 * The caller has just proved who they are: the session goes on under a new token. The old one stops
 * working, so that a thief who holds a copy of it gains nothing from the proof.
 *
 * @throws DomainError `unauthenticated` where another call has replaced the token first
 * @returns the new bearer token
 */
export async function renewSession(
  trx: Trx,
  { actor: { credential }, now }: { readonly actor: UserActor; readonly now: Date },
  factor: AuthFactor,
): Promise<string> {
  if (credential.kind !== "session") throw new DomainError("forbidden");
  const token = newToken(tokenPrefixes.session);
  const isRenewed = await replaceToken(trx, credential, { token, factor, now });
  if (!isRenewed) throw new DomainError("unauthenticated");
  return token;
}

/** The caller has just set up a stronger factor and shown that it works. */
export async function raiseFactor(
  trx: Trx,
  { credential }: UserActor,
  factor: AuthFactor,
): Promise<void> {
  if (credential.kind === "session") await updateFactor(trx, credential.id, factor);
}

/** The live sessions of a user, the last used one first. */
export async function sessionsOf(
  db: Executor,
  userId: string,
  { now, locale }: Pick<RequestContext, "now" | "locale">,
): Promise<Omit<AccountSession, "is_current">[]> {
  const rows = await selectSessionsOf(db, userId, now);
  return rows.map((row) => ({
    id: row.id,
    device: deviceName(row.device, locale),
    ip: row.ip,
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
  }));
}

/** A session ends when its row is deleted: every replica looks it up for every call. */
export function createSessions({ db }: { readonly db: Db }) {
  return {
    async list(ctx: CustomerContext): Promise<AccountSession[]> {
      const sessions = await sessionsOf(db, ctx.actor.userId, ctx);
      return sessions.map((session) => ({
        ...session,
        is_current: session.id === ctx.actor.credential.id,
      }));
    },

    /** @throws DomainError `not_found` for sessions of others too */
    async revoke(ctx: CustomerContext, id: string): Promise<void> {
      await unitOfWork(ctx, async (trx) => {
        if (!(await deleteSessionOf(trx, ctx.actor.userId, id))) throw new DomainError("not_found");
      });
    },

    async revokeAll(ctx: CustomerContext): Promise<void> {
      await unitOfWork(ctx, (trx) => endSessions(trx, ctx.actor.userId));
    },

    async logOut({ actor, scope }: Pick<CustomerContext, "actor" | "scope">): Promise<void> {
      const { credential } = actor;
      await unitOfWork({ scope }, async (trx) => {
        if (credential.kind === "session") await deleteSession(trx, credential.id);
      });
    },
  };
}
