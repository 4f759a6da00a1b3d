import { consolePaths } from "@palisade/contract/console-paths";
import type { MemberRole, Rights } from "@palisade/contract/http/member-rights";
import {
  invitationDays,
  maskEmail,
  subUsersMax,
  type SubUser,
} from "@palisade/contract/http/sub-users";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { RequestContext, UserActor } from "#src/platform/http/pipeline/context.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { hashToken, newToken, tokenPrefixes } from "#src/platform/security/tokens.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { Mailer } from "#src/platform/mail/mailer.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { recordMember, roleInWords } from "./member-history.ts";
import {
  countOthers,
  deleteInvitationById,
  deleteMembership,
  findAccount,
  lockSubUser,
  saveInvitation,
  selectInvitations,
  selectMembers,
  selectRole,
  selectShieldOf,
  setRole,
  type Invitee,
  type SubUserRow,
} from "./sub-users.repository.ts";
import { presentInvitation, presentMember } from "./sub-users.presenter.ts";

const invitationMs = invitationDays * 86_400_000;

export interface SubUsersDeps {
  readonly writes: ShieldWrites;
  readonly mailer: Mailer;
  /** Origin of the console, for links. */
  readonly consoleOrigin: () => string;
}

/** A call of a signed-in user. */
export type CallerContext = Pick<RequestContext, "now" | "locale"> & {
  readonly actor: UserActor;
};

export async function listSubUsers(db: Executor, shieldId: string) {
  const invitations = await selectInvitations(db, shieldId);
  const members = await selectMembers(db, shieldId);
  return [...invitations.map(presentInvitation), ...members.map(presentMember)];
}

/**
 * Invites a person to share the shield. The owner cannot learn whether the invitee has an account:
 * the row shows what was typed, and every case runs the same statements. The only exception is a
 * member of this very shield, which the owner sees anyway.
 *
 * @throws DomainError `entry_exists`, `list_full`, `server_not_active`
 */
export async function inviteSubUser(
  deps: SubUsersDeps,
  trx: Trx,
  ctx: CallerContext,
  request: { readonly shieldId: string; readonly typed: string; readonly chosen: ChosenRole },
) {
  const { shieldId, typed, chosen } = request;
  const invitee = inviteeOf(typed);
  await deps.writes.lockActive(trx, shieldId);
  const account = await findAccount(trx, invitee);
  const known = await selectRole(trx, shieldId, account?.id ?? newId());
  if (known !== undefined)
    throw refused("entry_exists", known.role === "owner" ? "sub_user.owner" : "sub_user.exists");
  if ((await countOthers(trx, shieldId, invitee.key)) >= subUsersMax) {
    throw refused("list_full", "sub_users.full");
  }
  const token = newToken(tokenPrefixes.invitation);
  const expiresAt = new Date(ctx.now.getTime() + invitationMs);
  const saved = await saveInvitation(trx, {
    id: newId(),
    shield_id: shieldId,
    kind: invitee.kind,
    typed,
    typed_key: invitee.key,
    user_id: account?.id ?? null,
    token_hash: hashToken(token),
    ...toStored(chosen),
    created_at: ctx.now,
    expires_at: expiresAt,
  });
  const shield = await selectShieldOf(trx, shieldId);
  const to = account?.email ?? (invitee.kind === "email" ? typed : undefined);
  if (to === undefined) {
    // An unknown username has no mailbox.
    await deps.mailer.enqueueNothing(trx);
  } else {
    await deps.mailer.enqueue(trx, {
      to,
      template: "sub-users.invitation",
      locale: account?.locale ?? ctx.locale,
      values: {
        link: `${deps.consoleOrigin()}${consolePaths.invitation}#token=${token}`,
        server: shield?.server_name ?? "",
        owner: ctx.actor.email,
        role: saved.member_role,
        validUntil: expiresAt.toISOString(),
      },
      usefulUntil: expiresAt,
    });
  }
  await recordMember(trx, { shieldId, now: ctx.now }, "invitation", {
    item: maskEmail(typed),
    before: null,
    after: roleInWords(saved.member_role, saved.rights),
  });
  return presentInvitation(saved);
}

/** E-mails have an @ and usernames have none; both are compared without regard to case. */
function inviteeOf(typed: string): Invitee {
  return { kind: typed.includes("@") ? "email" : "username", key: typed.toLowerCase() };
}

function refused(
  code: "entry_exists" | "list_full",
  text: "sub_user.owner" | "sub_user.exists" | "sub_users.full",
): DomainError {
  return new DomainError(code, { text, issues: [{ path: "email", code: text }] });
}

/** Also works for a shield that is not active, as removing does. It acts with the next call. */
export async function changeRole(
  trx: Trx,
  { shieldId, id, now }: SubUserRequest,
  chosen: ChosenRole,
): Promise<SubUser> {
  const found = await requireSubUser(trx, shieldId, id);
  await setRole(trx, found, toStored(chosen));
  const after = await requireSubUser(trx, shieldId, id);
  await recordMember(trx, { shieldId, now }, after.kind, {
    item: nameOf(after),
    before: roleOf(found),
    after: roleOf(after),
  });
  return after.kind === "member" ? presentMember(after.row) : presentInvitation(after.row);
}

/**
 * Also works for a shield that is not active, because removing access must not wait for a renewal.
 * From then on every call of the sub-user about the shield is 404, by API key as well. A write in
 * progress is waited for or refused (`ShieldAccess.hold`).
 */
export async function removeSubUser(
  trx: Trx,
  { shieldId, id, now }: SubUserRequest,
): Promise<void> {
  const found = await requireSubUser(trx, shieldId, id);
  if (found.kind === "invitation") await deleteInvitationById(trx, id);
  else await deleteMembership(trx, shieldId, found.row.user_id);
  const change = { item: nameOf(found), before: roleOf(found), after: null };
  await recordMember(trx, { shieldId, now }, found.kind, change);
}

interface SubUserRequest {
  readonly shieldId: string;
  readonly id: string;
  readonly now: Date;
}

interface ChosenRole {
  readonly role: MemberRole;
  readonly rights?: Rights | undefined;
}

async function requireSubUser(trx: Trx, shieldId: string, id: string): Promise<SubUserRow> {
  const found = await lockSubUser(trx, shieldId, id);
  if (found === undefined) throw new DomainError("not_found");
  return found;
}

function toStored({ role, rights }: ChosenRole) {
  const isCustom = role === "custom" && rights !== undefined;
  return { member_role: role, rights: isCustom ? JSON.stringify(rights) : null };
}

function nameOf(found: SubUserRow): string {
  return maskEmail(found.kind === "member" ? found.row.email : found.row.typed);
}

function roleOf({ row }: SubUserRow): string {
  return roleInWords(row.member_role, row.rights);
}

/** @returns what the shield is called */
export async function leaveShield(
  trx: Trx,
  { actor: { userId, email }, now }: CallerContext,
  shieldId: string,
): Promise<string> {
  const member = await selectRole(trx, shieldId, userId);
  const shield = await selectShieldOf(trx, shieldId);
  if (member === undefined || shield === undefined) throw new DomainError("not_found");
  if (member.role === "owner") throw new DomainError("forbidden", { text: "membership.owner" });
  // Before they are gone: they are named as the member who did it.
  const change = { item: maskEmail(email), before: member.member_role, after: null };
  await recordMember(trx, { shieldId, now }, "member", change);
  await deleteMembership(trx, shieldId, userId);
  return shield.server_name;
}
