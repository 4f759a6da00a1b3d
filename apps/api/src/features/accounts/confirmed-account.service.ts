import type { Executor } from "#src/platform/database/db.ts";
import { emailKeyOf, findUserByEmail } from "./users.repository.ts";

/** The account of an e-mail somebody has proven to own; of any other, nobody knows whose it is. */
export async function findConfirmedAccount(
  db: Executor,
  email: string,
): Promise<{ readonly id: string } | undefined> {
  const user = await findUserByEmail(db, emailKeyOf(email));
  return user === undefined || user.email_verified_at === null ? undefined : { id: user.id };
}
