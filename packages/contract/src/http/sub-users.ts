import { z } from "zod";
import { username } from "./account.ts";
import { acknowledgement, email, serverParams, timestamp, uuid } from "./fields.ts";
import { customRights, memberRights, memberRole } from "./member-rights.ts";
import { defaultLimits, route } from "./route.ts";

/** People beside the owner, pending invitations included. */
export const subUsersMax = 50;

/** Days an invitation can be accepted. */
export const invitationDays = 7;

export const subUserStatuses = ["pending", "active"] as const;

export const subUser = z
  .object({
    id: uuid,
    email: z.string().describe("Of an active sub-user; of a pending one, what the owner typed"),
    status: z.enum(subUserStatuses),
    role: memberRole,
    rights: memberRights,
    last_activity_at: timestamp
      .nullable()
      .describe("Last call about this shield, to the minute; null before the first"),
    created_at: timestamp.describe("When they were invited, or took the invitation"),
    expires_at: timestamp.nullable().describe("Of a pending one: until when it can be accepted"),
  })
  .meta({ id: "SubUser" });

export type SubUser = z.infer<typeof subUser>;

function isInvitee(typed: string): boolean {
  return (typed.includes("@") ? email : username).safeParse(typed).success;
}

const chosenRole = {
  role: memberRole.default("manager"),
  rights: customRights.optional().describe("Of the role `custom`, and of no other"),
};

const rightsOfCustom = {
  path: ["rights"],
  message: "rights.required",
};

function hasItsRights({ role, rights }: { role?: unknown; rights?: unknown }): boolean {
  return role !== "custom" || rights !== undefined;
}

export const updateSubUserBody = z
  .object({ ...chosenRole, role: memberRole })
  .refine(hasItsRights, rightsOfCustom)
  .meta({ id: "SubUserUpdate" });

export const addSubUserBody = z
  .object({
    email: z
      .string("sub_user.required")
      .trim()
      .min(1, "sub_user.required")
      .max(254, "sub_user.invalid")
      .refine(isInvitee, "sub_user.invalid")
      .describe("An e-mail, or the username of an account"),
    ...chosenRole,
  })
  .refine(hasItsRights, rightsOfCustom)
  .meta({ id: "SubUserCreate" });

/** An e-mail as far as its owner needs to recognise it: `a***@example.com`. */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf("@");
  return at < 1 ? address : `${address.slice(0, 1)}***${address.slice(at)}`;
}

/** In the body, because URLs are kept by browsers, proxies and logs. */
const invitationToken = z.object({
  token: z.string("required").min(1, "required").max(200, "invitation.invalid"),
});

export const invitation = z
  .object({
    server_name: z.string(),
    invited_by: z.string().describe("E-mail of the owner"),
    address: z.string().describe("The invited person's e-mail, masked, or username"),
    role: memberRole,
    rights: memberRights,
    expires_at: timestamp,
  })
  .meta({ id: "Invitation" });

export type Invitation = z.infer<typeof invitation>;

const ownerErrors = ["unauthenticated", "forbidden", "not_found", "gone"] as const;

export const listSubUsers = route({
  id: "subUsers.list",
  method: "GET",
  path: "/servers/:id/sub-users",
  family: "api",
  access: "owner",
  apiKey: "read",
  summary: "List who else has access to a shield",
  params: serverParams,
  success: 200,
  response: z.object({ sub_users: z.array(subUser) }),
  errors: [...ownerErrors],
  limits: defaultLimits.read,
});

export const addSubUser = route({
  id: "subUsers.add",
  method: "POST",
  path: "/servers/:id/sub-users",
  family: "api",
  access: "owner",
  apiKey: "none",
  summary: "Invite a sub-user to a shield",
  params: serverParams,
  body: addSubUserBody,
  success: 201,
  response: acknowledgement.extend({ sub_user: subUser }),
  errors: [...ownerErrors, "step_up_required", "server_not_active", "entry_exists", "list_full"],
  limits: [
    { per: "user", max: 20, windowSeconds: 3600 },
    { per: "user", max: 60, windowSeconds: 86_400 },
    { per: "email", max: 3, windowSeconds: 600 },
    { per: "email", max: 10, windowSeconds: 86_400 },
  ],
  recent: true,
});

export const updateSubUser = route({
  id: "subUsers.update",
  method: "PUT",
  path: "/servers/:id/sub-users/:subUserId",
  family: "api",
  access: "owner",
  apiKey: "none",
  summary: "Change the role of a sub-user or of an invitation",
  params: serverParams.extend({ subUserId: uuid }),
  body: updateSubUserBody,
  recent: true,
  success: 200,
  response: acknowledgement.extend({ sub_user: subUser }),
  errors: [...ownerErrors, "step_up_required"],
  limits: defaultLimits.change,
});

export const removeSubUser = route({
  id: "subUsers.remove",
  method: "DELETE",
  path: "/servers/:id/sub-users/:subUserId",
  family: "api",
  access: "owner",
  apiKey: "none",
  summary: "Remove a sub-user or withdraw an invitation",
  params: serverParams.extend({ subUserId: uuid }),
  success: 200,
  response: acknowledgement,
  errors: [...ownerErrors, "step_up_required"],
  limits: defaultLimits.change,
  recent: true,
});

export const leaveServer = route({
  id: "subUsers.leave",
  method: "DELETE",
  path: "/memberships/:id",
  family: "api",
  access: "customer",
  apiKey: "none",
  summary: "Leave a shield that was shared with the caller",
  params: serverParams,
  success: 200,
  response: acknowledgement,
  errors: ["unauthenticated", "not_found", "forbidden"],
  limits: defaultLimits.change,
});

export const getInvitation = route({
  id: "invitations.get",
  method: "POST",
  path: "/invitations/read",
  family: "api",
  access: "anonymous",
  apiKey: "none",
  summary: "Read what an invitation is to",
  body: invitationToken,
  success: 200,
  response: z.object({ invitation }),
  errors: ["invalid_code"],
  // It reads.
  audited: false,
  limits: [{ per: "ip", max: 60, windowSeconds: 600 }],
});

export const acceptInvitation = route({
  id: "invitations.accept",
  method: "POST",
  path: "/invitations/accept",
  family: "api",
  access: "customer",
  apiKey: "none",
  summary: "Accept an invitation",
  body: invitationToken,
  success: 200,
  response: acknowledgement.extend({ server_id: uuid }),
  errors: ["unauthenticated", "forbidden", "invalid_code"],
  limits: [{ per: "user", max: 60, windowSeconds: 600 }],
});

export const declineInvitation = route({
  id: "invitations.decline",
  method: "POST",
  path: "/invitations/decline",
  family: "api",
  access: "anonymous",
  apiKey: "none",
  summary: "Decline an invitation",
  body: invitationToken,
  success: 200,
  response: acknowledgement,
  errors: ["invalid_code"],
  limits: [{ per: "ip", max: 60, windowSeconds: 600 }],
});

export const subUserRoutes = {
  listSubUsers,
  addSubUser,
  updateSubUser,
  removeSubUser,
  leaveServer,
  getInvitation,
  acceptInvitation,
  declineInvitation,
};
