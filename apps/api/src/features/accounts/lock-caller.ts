import type { Trx } from "#src/platform/database/db.ts";
import type { UserActor } from "#src/platform/http/pipeline/context.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { hasCredential } from "./caller.repository.ts";
import type { UserRow } from "./user-row.ts";
import { lockUser } from "./users.repository.ts";

/**
 * Begins a change of how an account is reached, or of what is kept about its person: holds the
 * user's row, then looks whether the caller is still who was let in. A reset or a deletion holds the
 * same row, so what was under way meanwhile comes too late and leaves nothing behind.
 *
 * @throws DomainError `unauthenticated`
 */
export async function lockCaller(trx: Trx, actor: UserActor): Promise<UserRow> {
  const user = await lockUser(trx, actor.userId);
  const isLive = user?.deleted_at === null && (await hasCredential(trx, actor.credential));
  if (user === undefined || !isLive) throw new DomainError("unauthenticated");
  return user;
}
