import { z } from "zod";
import { attachmentBytesMax, attachmentFilesMax } from "./attachment-rules.ts";
import { timestamp, uuid } from "./fields.ts";
import { paged, pageQuery } from "./paging.ts";
import { defaultLimits, route } from "./route.ts";
import { staffReason } from "./staff-roles.ts";
import {
  staffMember,
  staffTicket,
  staffTicketDetail,
  staffTicketMessage,
  tag,
  ticketViews,
  type TicketView,
} from "./staff-ticket-shapes.ts";
import { tidyLine, tidyText } from "./tidy-line.ts";
import { tagsMax } from "./ticket-tags.ts";
import {
  messageCharactersMax,
  ticketCategories,
  ticketSeverities,
  ticketStatuses,
} from "./tickets.ts";

export const bulkTicketsMax = 100;
/** A colleague who was not heard of for so long has gone. */
export const presenceSeconds = 30;

const params = z.object({ ticketId: uuid });
const counts = z.object(
  Object.fromEntries(ticketViews.map((view) => [view, z.int()])) as Record<TicketView, z.ZodInt>,
);

/**
 * Work on a ticket needs no fresh proof of who staff are: it takes nothing from a customer, and staff who
 * had to type a code every few minutes would answer late.
 */
const ofStaff = {
  family: "api",
  access: "staff",
  staffRoles: ["support", "billing"],
  apiKey: "none",
} as const;
const staffErrors = ["unauthenticated", "forbidden", "two_factor_required"] as const;

export const listStaffTickets = route({
  ...ofStaff,
  id: "staffTickets.list",
  method: "GET",
  path: "/staff/tickets",
  summary: "The queue of tickets",
  showsPersonalData: true,
  querystring: pageQuery.extend({
    view: z.enum(ticketViews, "ticket.view").default("all"),
    category: z.enum(ticketCategories, "ticket.category").optional(),
    severity: z.enum(ticketSeverities, "ticket.severity").optional(),
    tag: tag.optional(),
    search: z
      .string()
      .overwrite(tidyLine)
      .max(100, "search.max")
      .optional()
      .describe("A number, or part of a subject or e-mail"),
  }),
  success: 200,
  response: paged(staffTicket).extend({
    counts: counts.describe("Tickets of each view, whatever the filters"),
    tags: z.array(z.string()).describe("Tags in use, the most frequent first"),
    satisfaction: z
      .array(
        z.object({
          month: z.string().describe("As 2026-11"),
          answers: z.int(),
          average: z.number().describe("1 to 5"),
        }),
      )
      .describe("The last six months with answers, newest first"),
    colleagues: z.array(staffMember).describe("Staff who can be assigned"),
  }),
  errors: staffErrors,
  limits: defaultLimits.read,
});

export const getStaffTicket = route({
  ...ofStaff,
  id: "staffTickets.get",
  method: "GET",
  path: "/staff/tickets/:ticketId",
  summary: "A ticket with its notes and its customer",
  showsPersonalData: true,
  params,
  success: 200,
  response: z.object({ ticket: staffTicketDetail }),
  errors: [...staffErrors, "not_found"],
  limits: defaultLimits.read,
});

export const replyAsStaff = route({
  ...ofStaff,
  id: "staffTickets.reply",
  method: "POST",
  path: "/staff/tickets/:ticketId/messages",
  summary: "Answer a ticket, or write a note for staff",
  recent: false,
  uploads: {
    field: "attachments",
    files: attachmentFilesMax,
    fileBytes: attachmentBytesMax,
  },
  params,
  body: z
    .object({
      message: z
        .string("ticket.message.invalid")
        .overwrite(tidyText)
        .max(messageCharactersMax, "ticket.message.max")
        .default("")
        .describe("May be empty when there are files"),
      internal: flag("A note, which the customer never sees"),
      resolve: flag("The ticket is resolved by this answer"),
      anyway: flag("Send it although a message came in between"),
      last_message_id: z
        .uuid("id.invalid")
        .optional()
        .describe("The newest message that the writer has read"),
    })
    .meta({ id: "StaffTicketReply" }),
  success: 201,
  response: z.object({ message: z.string(), ticket_message: staffTicketMessage }),
  errors: [
    ...staffErrors,
    "not_found",
    "ticket_closed",
    "ticket_changed",
    "attachment_refused",
    "attachment_quota",
  ],
  limits: [{ per: "user", max: 600, windowSeconds: 3600 }],
  idempotent: true,
});

export const changeStaffTicket = route({
  ...ofStaff,
  id: "staffTickets.change",
  method: "PUT",
  path: "/staff/tickets/:ticketId",
  summary: "Assign, snooze, tag or sort a ticket",
  recent: false,
  params,
  body: z
    .object({
      assignee_id: uuid.nullable().optional().describe("Null: unassigned"),
      severity: z.enum(ticketSeverities, "ticket.severity").optional(),
      category: z.enum(ticketCategories, "ticket.category").optional(),
      status: z.enum(ticketStatuses, "ticket.status").optional(),
      tags: z.array(tag).max(tagsMax, "ticket_tags.max").optional(),
      snoozed_until: timestamp.nullable().optional().describe("Null: not any more"),
    })
    .meta({ id: "StaffTicketChange" }),
  success: 200,
  response: z.object({ message: z.string(), ticket: staffTicketDetail }),
  errors: [...staffErrors, "not_found", "ticket_merged"],
  limits: defaultLimits.change,
});

export const mergeStaffTicket = route({
  ...ofStaff,
  id: "staffTickets.merge",
  method: "POST",
  path: "/staff/tickets/:ticketId/merge",
  summary: "Merge a ticket into another one",
  recent: false,
  params,
  body: z
    .object({
      into: z.coerce.number("ticket.number").int("ticket.number").describe("Number of the other"),
      reason: staffReason,
    })
    .meta({ id: "StaffTicketMerge" }),
  success: 200,
  response: z.object({ message: z.string(), ticket: staffTicketDetail }),
  errors: [...staffErrors, "not_found", "ticket_merged"],
  limits: defaultLimits.change,
});

export const changeStaffTickets = route({
  ...ofStaff,
  id: "staffTickets.bulk",
  method: "POST",
  path: "/staff/tickets/bulk",
  summary: "Assign, close or tag several tickets",
  recent: false,
  body: z
    .object({
      ids: z
        .array(uuid)
        .min(1, "ticket.bulk")
        .max(bulkTicketsMax, "ticket.bulk")
        .describe("At most 100"),
      action: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("assign"), assignee_id: uuid.nullable() }),
        z.object({ kind: z.literal("close") }),
        z.object({ kind: z.literal("tag"), tag }),
      ]),
    })
    .meta({ id: "StaffTicketsChange" }),
  success: 200,
  response: z.object({
    message: z.string(),
    changed: z.int().describe("Tickets that are different now"),
  }),
  errors: [...staffErrors, "not_found"],
  limits: defaultLimits.change,
});

export const lookAtTicket = route({
  ...ofStaff,
  id: "staffTickets.look",
  method: "POST",
  path: "/staff/tickets/:ticketId/presence",
  summary: "Note a reader of a ticket, and list the others",
  recent: false,
  audited: false,
  params,
  body: z.object({ is_typing: z.boolean("boolean.invalid").default(false) }),
  success: 200,
  response: z.object({
    people: z
      .array(staffMember.extend({ is_typing: z.boolean() }))
      .describe("Colleagues who read or answer it now"),
    updated_at: timestamp,
    last_message_id: uuid.nullable(),
  }),
  errors: [...staffErrors, "not_found"],
  limits: [{ per: "user", max: 240, windowSeconds: 60, perProcess: true }],
});

function file(kind: "download" | "view") {
  return {
    ...ofStaff,
    method: "GET",
    summary: kind === "view" ? "Show an image to staff" : "Download a file of a ticket as staff",
    showsPersonalData: true,
    params: z.object({ ticketId: uuid, file: uuid }),
    success: 200,
    answersFile: true,
    response: z.string().meta({ contentMediaType: "application/octet-stream" }),
    errors: [...staffErrors, "not_found"],
    limits: [{ per: "user", max: 600, windowSeconds: 600 }],
  } as const;
}

export const downloadAsStaff = route({
  ...file("download"),
  id: "staffTickets.download",
  path: "/staff/tickets/:ticketId/attachments/:file",
});

export const viewAsStaff = route({
  ...file("view"),
  id: "staffTickets.view",
  path: "/staff/tickets/:ticketId/attachments/:file/view",
});

export const staffTicketRoutes = {
  listStaffTickets,
  getStaffTicket,
  replyAsStaff,
  changeStaffTicket,
  mergeStaffTicket,
  changeStaffTickets,
  lookAtTicket,
  downloadAsStaff,
  viewAsStaff,
};

function flag(description: string) {
  return z
    .stringbool("boolean.invalid")
    .or(z.boolean("boolean.invalid"))
    .default(false)
    .describe(description);
}
