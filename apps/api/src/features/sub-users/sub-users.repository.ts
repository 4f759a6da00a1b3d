import type { MemberRole } from "@palisade/contract/http/member-rights";
import { sql, type Insertable } from "kysely";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

/** The addressee of an invitation, in the form used for comparison. */
export interface Invitee {
  readonly kind: "email" | "username";
  readonly key: string;
}

export function selectMembers(db: Executor, shieldId: string) {
  return db
    .selectFrom("shield_members")
    .innerJoin("users", "users.id", "shield_members.user_id")
    .select([
      "shield_members.id",
      "shield_members.member_role",
      "shield_members.rights",
      "shield_members.user_id",
      "users.email",
      "shield_members.last_activity_at",
      "shield_members.created_at",
    ])
    .where("shield_members.shield_id", "=", shieldId)
    .where("shield_members.role", "=", "member")
    .orderBy("users.email_key")
    .execute();
}

export function selectInvitations(db: Executor, shieldId: string) {
  return db
    .selectFrom("shield_invitations")
    .select(["id", "typed", "member_role", "rights", "created_at", "expires_at"])
    .where("shield_id", "=", shieldId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
}

/** The account an invitee has, if any; one statement, whether or not there is one. */
export function findAccount(trx: Trx, { kind, key }: Invitee) {
  return trx
    .selectFrom("users")
    .leftJoin("profiles", "profiles.user_id", "users.id")
    .select(["users.id", "users.email", "users.locale"])
    .where(kind === "email" ? "users.email_key" : "profiles.username_key", "=", key)
    .where("users.email_verified_at", "is not", null)
    .where("users.deleted_at", "is", null)
    .executeTakeFirst();
}

export async function selectRole(db: Executor, shieldId: string, userId: string) {
  const row = await db
    .selectFrom("shield_members")
    .select(["role", "member_role"])
    .where("shield_id", "=", shieldId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row;
}

/** Sub-users and invitations, but for the one to this invitee. */
export async function countOthers(trx: Trx, shieldId: string, key: string): Promise<number> {
  const { rows } = await sql<{ total: string }>`
    select (select count(*) from shield_members
        where shield_id = ${shieldId} and role = 'member')
      + (select count(*) from shield_invitations
        where shield_id = ${shieldId} and typed_key <> ${key}) as total
  `.execute(trx);
  return Number(rows[0]?.total ?? 0);
}

/** Owner and name of the shield; undefined if it is deleted. */
export function selectShieldOf(db: Executor, shieldId: string) {
  return db
    .selectFrom("shields")
    .innerJoin("users", "users.id", "shields.owner_id")
    .select(["shields.id", "shields.server_name", "users.email", "users.locale"])
    .where("shields.id", "=", shieldId)
    .where("shields.status", "<>", "deleted")
    .executeTakeFirst();
}

/** The newest to one invitee replaces the one before it and keeps its id. */
export function saveInvitation(trx: Trx, row: Insertable<Database["shield_invitations"]>) {
  const { id: _, ...renewed } = row;
  return trx
    .insertInto("shield_invitations")
    .values(row)
    .onConflict((conflict) => conflict.columns(["shield_id", "typed_key"]).doUpdateSet(renewed))
    .returning(["id", "typed", "member_role", "rights", "created_at", "expires_at"])
    .executeTakeFirstOrThrow();
}

/** With the shield it is to, where that still is. */
export function findInvitation(db: Db, tokenHash: string, now: Date) {
  return db
    .selectFrom("shield_invitations")
    .innerJoin("shields", "shields.id", "shield_invitations.shield_id")
    .innerJoin("users", "users.id", "shields.owner_id")
    .select([
      "shield_invitations.kind",
      "shield_invitations.typed",
      "shield_invitations.member_role",
      "shield_invitations.rights",
      "shield_invitations.expires_at",
      "shields.server_name",
      "shields.owner_id",
      "users.email as owner_email",
    ])
    .where("shield_invitations.token_hash", "=", tokenHash)
    .where("shield_invitations.expires_at", ">", now)
    .where("shields.status", "<>", "deleted")
    .executeTakeFirst();
}

/** Takes the invitation a link stands for, once. */
export function takeInvitation(trx: Trx, tokenHash: string, now: Date) {
  return trx
    .deleteFrom("shield_invitations")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .returning([
      "id",
      "shield_id",
      "kind",
      "typed",
      "typed_key",
      "user_id",
      "member_role",
      "rights",
    ])
    .executeTakeFirst();
}

/** The shield a user has come to by this link before. */
export function findAccepted(trx: Trx, tokenHash: string, userId: string) {
  return trx
    .selectFrom("shield_members")
    .innerJoin("shields", "shields.id", "shield_members.shield_id")
    .select(["shields.id", "shields.server_name"])
    .where("shield_members.token_hash", "=", tokenHash)
    .where("shield_members.user_id", "=", userId)
    .where("shields.status", "<>", "deleted")
    .executeTakeFirst();
}

/** Keeps an account from being deleted until `trx` ends; false where it is deleted already. */
export async function holdAccount(trx: Trx, userId: string): Promise<boolean> {
  const row = await trx
    .selectFrom("users")
    .select("id")
    .where("id", "=", userId)
    .where("deleted_at", "is", null)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Changes nothing for a user who became a member through another invitation. */
export async function insertMember(
  trx: Trx,
  row: Insertable<Database["shield_members"]>,
): Promise<void> {
  await trx
    .insertInto("shield_members")
    .values(row)
    .onConflict((conflict) => conflict.columns(["shield_id", "user_id"]).doNothing())
    .execute();
}

export type SubUserRow =
  | { readonly kind: "invitation"; readonly row: InvitationRow }
  | { readonly kind: "member"; readonly row: MemberRow };

type InvitationRow = Awaited<ReturnType<typeof selectInvitations>>[number];
type MemberRow = Awaited<ReturnType<typeof selectMembers>>[number];

/**
 * An invitation, or the access it has become: in this order, so that an acceptance under way is
 * waited for and what it made is found. Locked until `trx` ends.
 */
export async function lockSubUser(
  trx: Trx,
  shieldId: string,
  id: string,
): Promise<SubUserRow | undefined> {
  const invitation = await trx
    .selectFrom("shield_invitations")
    .select("id")
    .where("shield_id", "=", shieldId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (invitation !== undefined) {
    const rows = await selectInvitations(trx, shieldId);
    const row = rows.find((each) => each.id === id);
    return row === undefined ? undefined : { kind: "invitation", row };
  }
  await trx
    .selectFrom("shield_members")
    .select("id")
    .where("shield_id", "=", shieldId)
    .where("id", "=", id)
    .forUpdate()
    .execute();
  const row = (await selectMembers(trx, shieldId)).find((each) => each.id === id);
  return row === undefined ? undefined : { kind: "member", row };
}

export async function setRole(
  trx: Trx,
  { kind, row }: SubUserRow,
  role: { readonly member_role: MemberRole; readonly rights: string | null },
): Promise<void> {
  const table = kind === "member" ? "shield_members" : "shield_invitations";
  await trx.updateTable(table).set(role).where("id", "=", row.id).execute();
}

export async function deleteInvitationById(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom("shield_invitations").where("id", "=", id).execute();
}

/** With the invitations by which the member could come back. */
export async function deleteMembership(
  trx: Trx,
  shieldId: string,
  userId: string,
): Promise<boolean> {
  await invitationsTo(trx, shieldId, userId).execute();
  const member = await trx
    .deleteFrom("shield_members")
    .where("shield_id", "=", shieldId)
    .where("user_id", "=", userId)
    .where("role", "=", "member")
    .returning("id")
    .executeTakeFirst();
  return member !== undefined;
}

/** Call it after an invitation was accepted; one that is being accepted right now is left to that call. */
export async function deleteOtherInvitations(
  trx: Trx,
  shieldId: string,
  userId: string,
): Promise<void> {
  await invitationsTo(trx, shieldId, userId)
    .where("id", "in", (eb) =>
      eb
        .selectFrom("shield_invitations as other")
        .select("other.id")
        .where("other.shield_id", "=", shieldId)
        .forUpdate()
        .skipLocked(),
    )
    .execute();
}

function invitationsTo(trx: Trx, shieldId: string, userId: string) {
  return trx
    .deleteFrom("shield_invitations")
    .where("shield_id", "=", shieldId)
    .where((eb) =>
      eb.or([
        eb("user_id", "=", userId),
        eb(
          "typed_key",
          "=",
          eb.selectFrom("users").select("users.email_key").where("users.id", "=", userId),
        ),
      ]),
    );
}

export async function deleteInvitation(trx: Trx, tokenHash: string): Promise<boolean> {
  const row = await trx
    .deleteFrom("shield_invitations")
    .where("token_hash", "=", tokenHash)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteInvitationsBefore(db: Executor, expiry: Date): Promise<void> {
  await db.deleteFrom("shield_invitations").where("expires_at", "<", expiry).execute();
}
