import { z } from "zod";
import { attachmentBytesMax, attachmentFilesMax } from "./attachment-rules.ts";
import { timestamp, uuid } from "./fields.ts";
import { paged, pageQuery } from "./paging.ts";
import { defaultLimits, route } from "./route.ts";
import { staffReason } from "./staff-roles.ts";
import { tidyText } from "./tidy-line.ts";
import { cleanTag, tagCharactersMax, tagPattern, tagsMax } from "./ticket-tags.ts";
import {
  messageCharactersMax,
  ticketAttachment,
  ticketCategories,
  ticketSeverities,
  ticketStatuses,
} from "./tickets.ts";

/** Parts of the queue. Snoozed tickets are in `snoozed`, `all` and `closed` alone. */
export const ticketViews = [
  "unassigned",
  "mine",
  "waiting",
  "overdue",
  "snoozed",
  "all",
  "closed",
] as const;
export type TicketView = (typeof ticketViews)[number];

export const bulkTicketsMax = 100;
/** A colleague who was not heard of for so long has gone. */
export const presenceSeconds = 30;

const staffMember = z.object({ id: uuid, name: z.string() }).meta({ id: "TicketStaffMember" });
const tag = z
  .string("ticket_tag.invalid")
  .overwrite(cleanTag)
  .min(1, "ticket_tag.invalid")
  .max(tagCharactersMax, "ticket_tag.invalid")
  .regex(tagPattern, "ticket_tag.invalid");

const summaryFields = {
  id: uuid,
  ticket_number: z.int().describe("Counts up over the installation"),
  subject: z.string(),
  category: z.enum(ticketCategories),
  severity: z.enum(ticketSeverities),
  status: z.enum(ticketStatuses),
  customer: z.object({ id: uuid, email: z.string(), first_name: z.string().nullable() }),
  support_plan: z.string().describe("The customer's support plan, in the caller's language"),
  assignee: staffMember.nullable(),
  tags: z.array(z.string()),
  due_at: timestamp.nullable().describe("Staff should have answered by then"),
  snoozed_until: timestamp.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
};

export const staffTicket = z.object(summaryFields).meta({ id: "StaffTicket" });

export const staffTicketMessage = z
  .object({
    id: uuid,
    message: z.string(),
    is_admin: z.boolean().describe("Written by staff"),
    is_internal: z.boolean().describe("A note for staff, which the customer never sees"),
    author: z
      .object({ email: z.string(), first_name: z.string().nullable() })
      .nullable()
      .describe("Null for the product itself, and for an account that was deleted"),
    is_own: z.boolean().describe("Written by the caller"),
    source: z.enum(["console", "mail"]),
    attachments: z.array(ticketAttachment),
    created_at: timestamp,
  })
  .meta({ id: "StaffTicketMessage" });

const ticketLink = z.object({
  id: uuid,
  ticket_number: z.int(),
  subject: z.string(),
  status: z.enum(ticketStatuses),
});

export const staffTicketDetail = z
  .object({
    ...summaryFields,
    messages: z.array(staffTicketMessage).describe("Oldest first, with the notes; at most 500"),
    card: z
      .object({
        locale: z.enum(["en", "ru"]),
        registered_at: timestamp,
        balance: z.string().nullable().describe("Null for staff without the role billing"),
        shields: z.array(
          z.object({ id: uuid, name: z.string(), status: z.string(), plan: z.string() }),
        ),
        tickets: z.int().describe("All tickets of the customer"),
      })
      .describe("The customer"),
    other_tickets: z.array(ticketLink).describe("The newest ten others of the customer"),
    server: z.object({ id: uuid, name: z.string() }).nullable().describe("The shield it is about"),
    snapshot: z
      .string()
      .nullable()
      .describe("Settings and doctor report of the shield when it was opened, as JSON"),
    merged_into: ticketLink.nullable().describe("The ticket that goes on in its place"),
    colleagues: z.array(staffMember).describe("Staff who can be assigned"),
    answered_at: timestamp.nullable().describe("When staff answered first"),
    closed_at: timestamp.nullable(),
    satisfaction: z
      .object({ score: z.int().min(1).max(5), comment: z.string() })
      .nullable()
      .describe("The customer's answer after it was closed"),
  })
  .meta({ id: "StaffTicketDetail" });

export type StaffTicket = z.infer<typeof staffTicket>;
export type StaffTicketDetail = z.infer<typeof staffTicketDetail>;
export type StaffTicketMessage = z.infer<typeof staffTicketMessage>;

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
      .trim()
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
