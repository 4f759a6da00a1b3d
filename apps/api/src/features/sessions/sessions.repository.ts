import type { AuthFactor } from "@palisade/contract/http/two-factor";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import { prepared, type Given } from "#src/platform/database/prepared.ts";
import type { TokenUse } from "#src/platform/http/pipeline/authentication.ts";
import type { UserActor } from "#src/platform/http/pipeline/context.ts";
import { hashToken } from "#src/platform/security/tokens.ts";

const dayMs = 86_400_000;
/** A session ends when it was not used for this long, and in any case after `lifeMs`. */
const idleMs = 30 * dayMs;
const lifeMs = 180 * dayMs;
/** The time and address of a session's last use are written at most this often. */
const seenPrecisionMs = 60_000;

export interface NewSession {
  readonly id: string;
  readonly userId: string;
  readonly token: string;
  readonly device: string;
  readonly ip: string;
  readonly now: Date;
  /** The factor of the login. */
  readonly factor: AuthFactor;
}

export async function insertSession(executor: Executor, session: NewSession): Promise<void> {
  await executor
    .insertInto("sessions")
    .values({
      id: session.id,
      user_id: session.userId,
      token_hash: hashToken(session.token),
      device: session.device,
      ip: session.ip,
      created_at: session.now,
      last_seen_at: session.now,
      authenticated_at: session.now,
      authenticated_by: session.factor,
      expires_at: new Date(session.now.getTime() + idleMs),
    })
    .execute();
}

const selectLive = prepared((db, given: Given<{ tokenHash: string; now: Date }>) =>
  db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .select([
      "sessions.id",
      "sessions.created_at",
      "sessions.last_seen_at",
      "sessions.authenticated_at",
      "sessions.authenticated_by",
      "users.id as user_id",
      "users.email",
      "users.role",
      "users.staff_roles",
      "users.two_factor_enabled_at",
    ])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom("passkeys")
            .select("passkeys.id")
            .whereRef("passkeys.user_id", "=", "users.id"),
        )
        .as("has_passkey"),
    )
    .where("sessions.token_hash", "=", given.tokenHash)
    .where("sessions.expires_at", ">", given.now)
    .where("users.blocked_at", "is", null),
);

/** The user of a live session, whose time it prolongs. */
export async function findSessionActor(
  db: Db,
  token: string,
  { now, ip }: TokenUse,
): Promise<UserActor | null> {
  const tokenHash = hashToken(token);
  const [row] = await selectLive(db, { tokenHash, now });
  if (row === undefined) return null;
  if (now.getTime() - row.last_seen_at.getTime() > seenPrecisionMs) {
    await db
      .updateTable("sessions")
      .set({ last_seen_at: now, ip, expires_at: endOf(row.created_at, now) })
      .where("id", "=", row.id)
      .execute();
  }
  const hasTwoFactor = row.two_factor_enabled_at !== null;
  const withoutPasskey = hasTwoFactor ? "code" : "password";
  return {
    kind: "user",
    userId: row.user_id,
    email: row.email,
    role: row.role,
    staffRoles: row.staff_roles,
    hasTwoFactor,
    credential: {
      kind: "session",
      id: row.id,
      authenticatedAt: row.authenticated_at,
      authenticatedBy: row.authenticated_by,
      strongestFactor: row.has_passkey === true ? "passkey" : withoutPasskey,
      tokenHash,
    },
  };
}

function endOf(createdAt: Date, usedAt: Date): Date {
  return new Date(Math.min(usedAt.getTime() + idleMs, createdAt.getTime() + lifeMs));
}

/** @returns false where the session has ended, or its token was replaced by another call */
export async function replaceToken(
  trx: Trx,
  session: { readonly id: string; readonly tokenHash: string },
  proof: { readonly token: string; readonly factor: AuthFactor; readonly now: Date },
): Promise<boolean> {
  const result = await trx
    .updateTable("sessions")
    .set({
      token_hash: hashToken(proof.token),
      authenticated_at: proof.now,
      authenticated_by: proof.factor,
    })
    .where("id", "=", session.id)
    .where("token_hash", "=", session.tokenHash)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** The time of the last proof stays. */
export async function updateFactor(trx: Trx, id: string, factor: AuthFactor): Promise<void> {
  await trx
    .updateTable("sessions")
    .set({ authenticated_by: factor })
    .where("id", "=", id)
    .execute();
}

export async function deleteSessionsOf(executor: Executor, userId: string): Promise<void> {
  await executor.deleteFrom("sessions").where("user_id", "=", userId).execute();
}

export async function deleteAllSessions(executor: Executor): Promise<void> {
  await executor.deleteFrom("sessions").execute();
}

/** Keeps the `kept` that were used last. */
export async function deleteOldestSessions(trx: Trx, userId: string, kept: number): Promise<void> {
  await trx
    .deleteFrom("sessions")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("sessions")
        .select("id")
        .where("user_id", "=", userId)
        .orderBy("last_seen_at", "desc")
        .orderBy("id", "desc")
        .offset(kept),
    )
    .execute();
}

export async function deleteSession(executor: Executor, id: string): Promise<void> {
  await executor.deleteFrom("sessions").where("id", "=", id).execute();
}

export async function deleteExpiredSessions(executor: Executor, now: Date): Promise<void> {
  await executor.deleteFrom("sessions").where("expires_at", "<=", now).execute();
}

/** Live sessions of the user, the last used one first. */
export function selectSessionsOf(db: Executor, userId: string, now: Date) {
  return db
    .selectFrom("sessions")
    .select(["id", "device", "ip", "created_at", "last_seen_at"])
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .orderBy("last_seen_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

/** @returns false when the user has no such session */
export async function deleteSessionOf(trx: Trx, userId: string, id: string): Promise<boolean> {
  const result = await trx
    .deleteFrom("sessions")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}
