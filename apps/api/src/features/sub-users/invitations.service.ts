import { rightsOf } from "@palisade/contract/http/member-rights";
import { maskEmail, type Invitation } from "@palisade/contract/http/sub-users";
import type { Db, Trx } from "#src/platform/database/db.ts";
import type { RequestContext, UserActor } from "#src/platform/http/pipeline/context.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { hashToken } from "#src/platform/security/tokens.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Mailer } from "#src/platform/mail/mailer.ts";
import { announce } from "#src/features/notifications/notification-events.service.ts";
import { recordMember, roleInWords } from "./member-history.ts";
import {
  deleteInvitation,
  deleteOtherInvitations,
  findAccepted,
  findInvitation,
  holdAccount,
  insertMember,
  selectShieldOf,
  takeInvitation,
} from "./sub-users.repository.ts";

/** Shown to the holder of the link before they sign in. */
export async function readInvitation(db: Db, token: string, now: Date): Promise<Invitation> {
  const found = await findInvitation(db, hashToken(token), now);
  if (found === undefined) throw invalidLink();
  return {
    server_name: found.server_name,
    invited_by: found.owner_email,
    address: shownAddress(found),
    role: found.member_role,
    rights: rightsOf(found.member_role, found.rights),
    expires_at: found.expires_at.toISOString(),
  };
}

/**
 * Makes the caller a sub-user, if it is their account that was invited. Once: of two at the same
 * time the second finds what the first has made.
 *
 * @throws DomainError `invalid_code`; `forbidden` where another account was invited
 */
export async function acceptInvitation(
  mailer: Mailer,
  trx: Trx,
  ctx: { readonly actor: UserActor; readonly now: Date },
  token: string,
): Promise<{ readonly id: string; readonly server_name: string }> {
  const tokenHash = hashToken(token);
  const { userId, email } = ctx.actor;
  // Before any row of the shield, as a deletion of the account does.
  if (!(await holdAccount(trx, userId))) throw new DomainError("unauthenticated");
  const taken = await takeInvitation(trx, tokenHash, ctx.now);
  if (taken === undefined) {
    const accepted = await findAccepted(trx, tokenHash, userId);
    if (accepted === undefined) throw invalidLink();
    return accepted;
  }
  const isInvited =
    taken.kind === "email" ? taken.typed_key === email.toLowerCase() : taken.user_id === userId;
  if (!isInvited) {
    const values = { address: shownAddress(taken) };
    throw new DomainError("forbidden", { text: "invitation.other_account", values });
  }
  const shield = await selectShieldOf(trx, taken.shield_id);
  if (shield === undefined) throw invalidLink();
  await insertMember(trx, {
    id: taken.id,
    shield_id: shield.id,
    user_id: userId,
    role: "member",
    member_role: taken.member_role,
    rights: taken.rights === null ? null : JSON.stringify(taken.rights),
    token_hash: tokenHash,
    created_at: ctx.now,
  });
  await recordMember(trx, { shieldId: shield.id, now: ctx.now }, "member", {
    item: maskEmail(email),
    before: null,
    after: roleInWords(taken.member_role, taken.rights),
  });
  await deleteOtherInvitations(trx, shield.id, userId);
  await announce(trx, [
    {
      shieldId: shield.id,
      kind: "member.joined",
      at: ctx.now,
      data: { member: maskEmail(email), role: taken.member_role },
    },
  ]);
  await mailer.enqueue(trx, {
    to: shield.email,
    template: "sub-users.accepted",
    locale: shield.locale,
    values: {
      server: shield.server_name,
      serverId: shield.id,
      member: email,
      role: taken.member_role,
      at: ctx.now.toISOString(),
    },
  });
  return shield;
}

/** The link is enough, because it was sent to their mailbox. The owner's audit log records it. */
export async function declineInvitation(
  db: Db,
  ctx: Omit<RequestContext, "actor" | "shield">,
  token: string,
): Promise<void> {
  const found = await findInvitation(db, hashToken(token), ctx.now);
  if (found === undefined) throw invalidLink();
  ctx.auditAccount(found.owner_id);
  await unitOfWork(ctx, async (trx) => {
    if (!(await deleteInvitation(trx, hashToken(token)))) throw invalidLink();
  });
}

function shownAddress(row: { readonly kind: "email" | "username"; readonly typed: string }) {
  return row.kind === "email" ? maskEmail(row.typed) : row.typed;
}

function invalidLink(): DomainError {
  return new DomainError("invalid_code", { text: "invitation.invalid" });
}
