import type { Executor, Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { UserActor } from "#src/platform/http/pipeline/context.ts";
import type { UserRow } from "#src/schema/accounts.ts";
import {
  hasCredential,
  selectAccount,
  selectUserByEmailKey,
  selectUserForUpdate,
} from "./users.repository.ts";

/** E-mails are compared without regard to case. */
export function emailKeyOf(email: string): string {
  return email.trim().toLowerCase();
}

/** @param email as typed */
export function findUserByEmail(executor: Executor, email: string): Promise<UserRow | undefined> {
  return selectUserByEmailKey(executor, emailKeyOf(email));
}

/** The account of a confirmed e-mail: an unconfirmed one does not prove whose account it is. */
export async function findConfirmedAccount(
  db: Executor,
  email: string,
): Promise<{ readonly id: string } | undefined> {
  const user = await findUserByEmail(db, email);
  return user === undefined || user.email_verified_at === null ? undefined : { id: user.id };
}

/**
 * Holds the user's row until `trx` ends, so that changes of how the user logs in happen one after
 * the other.
 */
export function lockUser(trx: Trx, id: string): Promise<UserRow | undefined> {
  return selectUserForUpdate(trx, id);
}

/** As `lockUser`; @param email as typed */
export async function lockUserByEmail(trx: Trx, email: string): Promise<UserRow | undefined> {
  const found = await findUserByEmail(trx, email);
  return found && lockUser(trx, found.id);
}

/**
 * Begins a change of how an account is reached, or of what is kept about its user: locks the user's
 * row, then checks that the caller's session or key still exists. A password reset and a deletion
 * lock the same row, so a call that they overtake is refused and changes nothing.
 *
 * @throws DomainError `unauthenticated`
 */
export async function lockCaller(trx: Trx, actor: UserActor): Promise<UserRow> {
  const user = await lockUser(trx, actor.userId);
  const isLive = user?.deleted_at === null && (await hasCredential(trx, actor.credential));
  if (user === undefined || !isLive) throw new DomainError("unauthenticated");
  return user;
}

/** An account that is not deleted. */
export async function findAccount(
  executor: Executor,
  id: string,
): Promise<{ readonly id: string } | undefined> {
  return selectAccount(executor, id);
}
