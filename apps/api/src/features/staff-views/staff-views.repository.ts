import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import type { UserActor } from "#src/platform/http/pipeline/context.ts";
import { hashToken } from "#src/platform/security/tokens.ts";

export interface NewView {
  readonly id: string;
  readonly sessionId: string;
  readonly staffId: string;
  readonly userId: string;
  readonly token: string;
  readonly now: Date;
  readonly expiresAt: Date;
}

export async function insertView(trx: Trx, view: NewView): Promise<void> {
  await trx
    .insertInto("staff_views")
    .values({
      id: view.id,
      session_id: view.sessionId,
      staff_id: view.staffId,
      user_id: view.userId,
      token_hash: hashToken(view.token),
      created_at: view.now,
      expires_at: view.expiresAt,
    })
    .execute();
}

/** The customer, as a staff member with a live session of their own may see them. */
export async function findViewActor(db: Db, token: string, now: Date): Promise<UserActor | null> {
  const row = await db
    .selectFrom("staff_views")
    .innerJoin("users", "users.id", "staff_views.user_id")
    .innerJoin("users as staff", "staff.id", "staff_views.staff_id")
    .innerJoin("sessions", "sessions.id", "staff_views.session_id")
    .select([
      "staff_views.id",
      "staff_views.staff_id",
      "users.id as user_id",
      "users.email",
      "users.two_factor_enabled_at",
    ])
    .where("staff_views.token_hash", "=", hashToken(token))
    .where("staff_views.expires_at", ">", now)
    .where("sessions.expires_at", ">", now)
    .where("staff.role", "=", "staff")
    .where("staff.blocked_at", "is", null)
    .where("users.role", "=", "customer")
    .where("users.deleted_at", "is", null)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    kind: "user",
    userId: row.user_id,
    email: row.email,
    role: "customer",
    staffRoles: [],
    hasTwoFactor: row.two_factor_enabled_at !== null,
    credential: { kind: "view", id: row.id, staffId: row.staff_id },
  };
}

/** @returns false where the session has no such view */
export async function deleteView(
  trx: Trx,
  view: { readonly id: string; readonly staffId: string },
): Promise<boolean> {
  const result = await trx
    .deleteFrom("staff_views")
    .where("id", "=", view.id)
    .where("staff_id", "=", view.staffId)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

export async function deleteExpiredViews(executor: Executor, now: Date): Promise<void> {
  await executor.deleteFrom("staff_views").where("expires_at", "<=", now).execute();
}
