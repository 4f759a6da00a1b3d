import { z } from "zod";
import { acknowledgement, timestamp, uuid } from "./fields.ts";
import { defaultLimits, route } from "./route.ts";
import { staffReason } from "./staff-roles.ts";
import { tidyLine, tidyText } from "./tidy-line.ts";
import { messageCharactersMax } from "./tickets.ts";

export const cannedRepliesMax = 200;

export const cannedReply = z
  .object({
    id: uuid,
    title: z.string(),
    body_en: z.string(),
    body_ru: z.string().describe("Empty: the English text serves"),
    updated_at: timestamp,
  })
  .meta({ id: "CannedReply" });

export type CannedReply = z.infer<typeof cannedReply>;

const text = z
  .string("ticket.message.invalid")
  .overwrite(tidyText)
  .max(messageCharactersMax, "ticket.message.max");

export const cannedReplyBody = z
  .object({
    title: z
      .string("required")
      .overwrite(tidyLine)
      .min(1, "required")
      .max(80, "canned_reply.title.max"),
    body_en: text
      .min(1, "required")
      .describe("`{customer}`, `{ticket}`, `{server}` and `{staff}` are filled in"),
    body_ru: text.default(""),
  })
  .meta({ id: "CannedReplyText" });

const ofStaff = {
  family: "api",
  access: "staff",
  staffRoles: ["support", "billing"],
  apiKey: "none",
} as const;
const staffErrors = ["unauthenticated", "forbidden", "two_factor_required"] as const;
const params = z.object({ replyId: uuid });

export const listCannedReplies = route({
  ...ofStaff,
  id: "cannedReplies.list",
  method: "GET",
  path: "/staff/canned-replies",
  summary: "List canned replies",
  success: 200,
  response: z.object({ replies: z.array(cannedReply) }),
  errors: staffErrors,
  limits: defaultLimits.read,
});

export const createCannedReply = route({
  ...ofStaff,
  id: "cannedReplies.create",
  method: "POST",
  path: "/staff/canned-replies",
  summary: "Add a canned reply",
  recent: false,
  body: cannedReplyBody,
  success: 201,
  response: z.object({ message: z.string(), reply: cannedReply }),
  errors: [...staffErrors, "canned_replies_full"],
  limits: defaultLimits.change,
});

export const updateCannedReply = route({
  ...ofStaff,
  id: "cannedReplies.update",
  method: "PUT",
  path: "/staff/canned-replies/:replyId",
  summary: "Change a canned reply",
  recent: false,
  params,
  body: cannedReplyBody,
  success: 200,
  response: z.object({ message: z.string(), reply: cannedReply }),
  errors: [...staffErrors, "not_found"],
  limits: defaultLimits.change,
});

export const deleteCannedReply = route({
  ...ofStaff,
  id: "cannedReplies.delete",
  method: "DELETE",
  path: "/staff/canned-replies/:replyId",
  summary: "Delete a canned reply",
  recent: false,
  params,
  body: z.object({ reason: staffReason }),
  success: 200,
  response: acknowledgement,
  errors: [...staffErrors, "not_found"],
  limits: defaultLimits.change,
});

export const cannedReplyRoutes = {
  listCannedReplies,
  createCannedReply,
  updateCannedReply,
  deleteCannedReply,
};
