import type { Db } from "#src/platform/database/db.ts";
import { hashToken } from "#src/platform/security/tokens.ts";
import type { PasskeyChallengesTable } from "#src/schema/passkeys.ts";

/** The use that a challenge was made for. A login has no session yet; the others are of one session. */
export interface ChallengePurpose {
  readonly purpose: PasskeyChallengesTable["purpose"];
  readonly sessionId: string | null;
}

export async function insertChallenge(
  db: Db,
  challenge: string,
  { purpose, sessionId }: ChallengePurpose,
  expiresAt: Date,
): Promise<void> {
  await db
    .insertInto("passkey_challenges")
    .values({
      challenge_hash: hashToken(challenge),
      purpose,
      session_id: sessionId,
      expires_at: expiresAt,
    })
    .execute();
}

/**
 * Uses the challenge up, in a statement of its own: an answer that is refused has used it up too.
 *
 * @returns false where there is none for this purpose, or it has expired
 */
export async function takeChallenge(
  db: Db,
  challenge: string,
  { purpose, sessionId }: ChallengePurpose,
  now: Date,
): Promise<boolean> {
  const result = await db
    .deleteFrom("passkey_challenges")
    .where("challenge_hash", "=", hashToken(challenge))
    .where("purpose", "=", purpose)
    .where("session_id", sessionId === null ? "is" : "=", sessionId)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

export async function deleteExpiredChallenges(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("passkey_challenges").where("expires_at", "<=", now).execute();
}
