import { commandEntry } from "#src/features/audit/audit.service.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import type { AuditLog } from "#src/platform/http/pipeline/audit-log.ts";
import type { AccountNotices } from "#src/features/account-notices/account-notices.service.ts";
import { clearGuesses } from "./two-factor-guesses.repository.ts";
import { deleteTwoFactor, setTwoFactorEnabled } from "./two-factor.repository.ts";
import { voidEmailChange } from "#src/features/profile/email-change.service.ts";
import { removePasskeys } from "#src/features/passkeys/passkeys.service.ts";
import { endSessions } from "#src/features/sessions/sessions.service.ts";
import type { UserRow } from "#src/schema/accounts.ts";
import { lockUserByEmail } from "#src/features/users/users.service.ts";

export type TwoFactorRemoval = "removed" | "off" | "unknown";

export interface TwoFactorRemovalDeps {
  readonly db: Db;
  readonly audit: AuditLog;
  readonly notices: AccountNotices;
}

/**
 * Turns two-factor off and removes the passkeys, for an owner who has lost them. Ends every session
 * and voids the pending link for a new e-mail, so that an intruder gains nothing, and tells the owner.
 *
 * @param user locked in `trx`
 * @returns false if there was neither
 */
export async function takeTwoFactorOff(
  trx: Trx,
  notices: AccountNotices,
  user: UserRow,
  now: Date,
): Promise<boolean> {
  const hadPasskeys = (await removePasskeys(trx, user.id)) > 0;
  if (user.two_factor_enabled_at === null && !hadPasskeys) return false;
  await setTwoFactorEnabled(trx, user.id, null);
  await deleteTwoFactor(trx, user.id);
  await clearGuesses(trx, user.id);
  await endSessions(trx, user.id);
  await voidEmailChange(trx, user.id);
  const to = { userId: user.id, email: user.email, locale: user.locale };
  await notices.sendFromOperator(trx, to, "two-factor-removed", now);
  return true;
}

/** As `takeTwoFactorOff`, by the command line, with its audit row: an operator first makes sure that the owner asks. */
export function removeTwoFactor(
  { db, audit, notices }: TwoFactorRemovalDeps,
  email: string,
  now: Date,
): Promise<TwoFactorRemoval> {
  return db.transaction().execute(async (trx) => {
    const user = await lockUserByEmail(trx, email);
    if (user === undefined) return "unknown";
    if (!(await takeTwoFactorOff(trx, notices, user, now))) return "off";
    const row = { chain: `user:${user.id}`, status: 200, at: now };
    await audit.append(trx, commandEntry("account two-factor-off", row));
    return "removed";
  });
}
