import { rightsOf } from "@palisade/contract/http/member-rights";
import type { SubUser } from "@palisade/contract/http/sub-users";
import type { selectInvitations, selectMembers } from "./sub-users.repository.ts";

type MemberRow = Awaited<ReturnType<typeof selectMembers>>[number];
type InvitationRow = Awaited<ReturnType<typeof selectInvitations>>[number];

export function presentMember(row: MemberRow): SubUser {
  return {
    id: row.id,
    email: row.email,
    status: "active",
    role: row.member_role,
    rights: rightsOf(row.member_role, row.rights),
    last_activity_at: row.last_activity_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    expires_at: null,
  };
}

/** Shows what the owner typed and nothing that the invitee's account would add to it. */
export function presentInvitation(row: InvitationRow): SubUser {
  return {
    id: row.id,
    email: row.typed,
    status: "pending",
    role: row.member_role,
    rights: rightsOf(row.member_role, row.rights),
    last_activity_at: null,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
