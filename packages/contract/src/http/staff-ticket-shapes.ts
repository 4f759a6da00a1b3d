import { z } from "zod";
import { timestamp, uuid } from "./fields.ts";
import { serverStatuses } from "./servers.ts";
import { cleanTag, tagCharactersMax, tagPattern } from "./ticket-tags.ts";
import { ticketAttachment, ticketCategories, ticketSeverities, ticketStatuses } from "./tickets.ts";

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

export const staffMember = z
  .object({ id: uuid, name: z.string() })
  .meta({ id: "TicketStaffMember" });
export const tag = z
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
        balance_cents: z.int().nullable().describe("Null for staff without the role billing"),
        shields: z.array(
          z.object({
            id: uuid,
            name: z.string(),
            status: z.enum(serverStatuses),
            plan: z.string(),
          }),
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
