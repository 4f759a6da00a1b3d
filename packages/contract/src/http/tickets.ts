import { z } from "zod";
import { attachmentBytesMax, attachmentFilesMax } from "./attachment-rules.ts";
import { acknowledgement, timestamp, uuid } from "./fields.ts";
import { paged, pageQuery } from "./paging.ts";
import { defaultLimits, route } from "./route.ts";
import { tidyLine, tidyText } from "./tidy-line.ts";
import { usualAnswer } from "./usual-answer.ts";

export const ticketCategories = ["billing", "technical", "sales"] as const;
export const ticketSeverities = ["low", "medium", "high", "critical"] as const;
/**
 * - `open`             not answered yet
 * - `in_progress`      the customer wrote last
 * - `waiting_customer` staff wrote last
 * - `resolved`         staff think it is solved; a reply goes on
 * - `closed`           no replies; can be reopened for `reopenDays`
 */
export const ticketStatuses = [
  "open",
  "in_progress",
  "waiting_customer",
  "resolved",
  "closed",
] as const;

export type TicketCategory = (typeof ticketCategories)[number];
export type TicketSeverity = (typeof ticketSeverities)[number];
export type TicketStatus = (typeof ticketStatuses)[number];

export const reopenDays = 14;
export const subjectCharactersMax = 150;
export const messageCharactersMax = 10_000;

export const ticketPerson = z
  .object({
    email: z.string().nullable().describe("Null for staff, and for an account that was deleted"),
    first_name: z.string().nullable(),
  })
  .meta({ id: "TicketPerson" });

export const ticketAttachment = z
  .object({
    filename: uuid.describe("`{file}` of the calls that read it"),
    original_name: z.string(),
    size: z.int().describe("Bytes as stored: images are encoded again"),
    content_type: z.string(),
    is_image: z.boolean().describe("Can be shown by the call that ends in `view`"),
  })
  .meta({ id: "TicketAttachment" });

export const ticketMessage = z
  .object({
    id: uuid,
    message: z.string(),
    is_admin: z.boolean().describe("Written by staff"),
    user: ticketPerson,
    is_own: z.boolean().describe("Written by the caller"),
    source: z.enum(["console", "mail"]),
    attachments: z.array(ticketAttachment),
    created_at: timestamp,
  })
  .meta({ id: "TicketMessage" });

const ticketFields = {
  id: uuid,
  ticket_number: z.int().describe("Counts up over the installation"),
  subject: z.string(),
  category: z.enum(ticketCategories),
  severity: z.enum(ticketSeverities),
  status: z.enum(ticketStatuses),
  created_at: timestamp,
  updated_at: timestamp.describe("Newest message or change of status"),
  user: ticketPerson,
};

export const ticket = z.object(ticketFields).meta({ id: "Ticket" });

export const ticketDetail = z
  .object({
    ...ticketFields,
    messages: z.array(ticketMessage).describe("Newest first"),
    members: z.array(ticketPerson.extend({ is_admin: z.boolean() })).describe("Everyone who wrote"),
    server: z.object({ id: uuid, name: z.string() }).nullable().describe("The shield it is about"),
    has_snapshot: z.boolean().describe("Settings and doctor report of the shield were sent along"),
    closed_at: timestamp.nullable(),
    merged_into: uuid.nullable().describe("The ticket that goes on in its place"),
    response: usualAnswer
      .extend({ target_at: timestamp.describe("Staff mean to answer by then") })
      .nullable()
      .describe("Null while no answer is due"),
    reopen_until: timestamp.nullable().describe("Null unless it is closed and can be reopened"),
    satisfaction: z
      .object({ score: z.int().min(1).max(5), comment: z.string() })
      .nullable()
      .describe("The customer's answer after it was closed"),
  })
  .meta({ id: "TicketDetail" });

export type Ticket = z.infer<typeof ticket>;
export type TicketDetail = z.infer<typeof ticketDetail>;
export type TicketMessage = z.infer<typeof ticketMessage>;
export type TicketAttachment = z.infer<typeof ticketAttachment>;

const ticketParams = z.object({ id: uuid });
const fileParams = z.object({ id: uuid, file: uuid });

const uploads = {
  field: "attachments",
  files: attachmentFilesMax,
  fileBytes: attachmentBytesMax,
} as const;

export const createTicketBody = z
  .object({
    category: z.enum(ticketCategories, "ticket.category"),
    severity: z.enum(ticketSeverities, "ticket.severity"),
    subject: z
      .string("required")
      .overwrite(tidyLine)
      .min(1, "required")
      .min(3, "ticket.subject.min")
      .max(subjectCharactersMax, "ticket.subject.max"),
    message: z
      .string("required")
      .overwrite(tidyText)
      .min(1, "required")
      .min(5, "ticket.message.min")
      .max(messageCharactersMax, "ticket.message.max"),
    server_id: z.uuid("id.invalid").optional().describe("The shield it is about"),
    with_snapshot: z
      .stringbool("boolean.invalid")
      .or(z.boolean("boolean.invalid"))
      .default(false)
      .describe("Keep the shield's settings and a doctor report of now with the ticket"),
  })
  .meta({ id: "TicketCreate" });

export const replyBody = z
  .object({
    message: z
      .string("ticket.message.invalid")
      .overwrite(tidyText)
      .max(messageCharactersMax, "ticket.message.max")
      .default("")
      .describe("May be empty when there are files"),
  })
  .meta({ id: "TicketReply" });

const ticketErrors = ["unauthenticated", "forbidden", "not_found"] as const;

export const listTickets = route({
  id: "tickets.list",
  method: "GET",
  path: "/tickets",
  family: "api",
  access: "customer",
  apiKey: "read",
  summary: "List tickets",
  querystring: pageQuery
    .extend({ per_page: pageQuery.shape.per_page.unwrap().default(10) })
    .extend({
      status: z.enum(ticketStatuses, "ticket.status").optional(),
      category: z.enum(ticketCategories, "ticket.category").optional(),
    }),
  success: 200,
  response: paged(ticket),
  errors: ["unauthenticated"],
  limits: defaultLimits.read,
});

export const createTicket = route({
  id: "tickets.create",
  method: "POST",
  path: "/tickets",
  family: "api",
  access: "customer",
  apiKey: "write",
  summary: "Open a ticket",
  uploads,
  body: createTicketBody,
  success: 201,
  response: z.object({ message: z.string(), ticket: ticketDetail }),
  errors: [...ticketErrors, "attachment_refused", "attachment_quota"],
  limits: [{ per: "user", max: 20, windowSeconds: 3600 }],
  idempotent: true,
});

export const getTicket = route({
  id: "tickets.get",
  method: "GET",
  path: "/tickets/:id",
  family: "api",
  access: "customer",
  apiKey: "read",
  summary: "A ticket with its messages",
  params: ticketParams,
  success: 200,
  response: z.object({ ticket: ticketDetail }),
  errors: ["unauthenticated", "not_found"],
  limits: defaultLimits.read,
});

export const replyToTicket = route({
  id: "tickets.reply",
  method: "POST",
  path: "/tickets/:id/messages",
  family: "api",
  access: "customer",
  apiKey: "write",
  summary: "Write in a ticket",
  uploads,
  params: ticketParams,
  body: replyBody,
  success: 201,
  response: z.object({ message: z.string(), ticket_message: ticketMessage }),
  errors: [...ticketErrors, "ticket_closed", "attachment_refused", "attachment_quota"],
  limits: [{ per: "user", max: 120, windowSeconds: 3600 }],
  idempotent: true,
});

export const closeTicket = route({
  id: "tickets.close",
  method: "POST",
  path: "/tickets/:id/close",
  family: "api",
  access: "customer",
  apiKey: "write",
  summary: "Close a ticket",
  params: ticketParams,
  success: 200,
  response: z.object({ message: z.string(), ticket: ticketDetail }),
  errors: [...ticketErrors, "ticket_closed"],
  limits: defaultLimits.change,
});

export const reopenTicket = route({
  id: "tickets.reopen",
  method: "POST",
  path: "/tickets/:id/reopen",
  family: "api",
  access: "customer",
  apiKey: "write",
  summary: "Open a closed ticket again",
  params: ticketParams,
  success: 200,
  response: z.object({ message: z.string(), ticket: ticketDetail }),
  errors: [...ticketErrors, "ticket_not_closed", "ticket_too_old"],
  limits: defaultLimits.change,
});

export const rateTicket = route({
  id: "tickets.rate",
  method: "POST",
  path: "/tickets/:id/satisfaction",
  family: "api",
  access: "customer",
  apiKey: "none",
  summary: "Say how the help was",
  params: ticketParams,
  body: z.object({
    score: z
      .int("ticket.score")
      .min(1, "ticket.score")
      .max(5, "ticket.score")
      .describe("1 bad to 5 very good"),
    comment: z
      .string("ticket.comment")
      .overwrite(tidyText)
      .max(1_000, "ticket.comment")
      .default(""),
  }),
  success: 200,
  response: acknowledgement,
  errors: [...ticketErrors, "ticket_not_closed"],
  limits: defaultLimits.change,
});

const file = z.string().meta({ contentMediaType: "application/octet-stream" });

export const downloadAttachment = route({
  id: "tickets.downloadAttachment",
  method: "GET",
  path: "/tickets/:id/attachments/:file",
  family: "api",
  access: "customer",
  apiKey: "read",
  summary: "Download a file of a ticket",
  params: fileParams,
  success: 200,
  answersFile: true,
  response: file,
  errors: ["unauthenticated", "not_found"],
  limits: [{ per: "user", max: 600, windowSeconds: 600 }],
});

export const viewAttachment = route({
  id: "tickets.viewAttachment",
  method: "GET",
  path: "/tickets/:id/attachments/:file/view",
  family: "api",
  access: "customer",
  apiKey: "read",
  summary: "Show an image of a ticket",
  params: fileParams,
  success: 200,
  answersFile: true,
  response: file,
  errors: ["unauthenticated", "not_found"],
  limits: [{ per: "user", max: 600, windowSeconds: 600 }],
});

export const ticketRoutes = {
  listTickets,
  createTicket,
  getTicket,
  replyToTicket,
  closeTicket,
  reopenTicket,
  rateTicket,
  downloadAttachment,
  viewAttachment,
};
