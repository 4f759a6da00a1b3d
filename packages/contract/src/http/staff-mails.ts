import { z } from "zod";
import { acknowledgement, timestamp, uuid } from "./fields.ts";
import { paged, pageQuery } from "./paging.ts";
import { defaultLimits, route } from "./route.ts";
import { staffReadErrors } from "./staff-errors.ts";
import { staffReason } from "./staff-roles.ts";

/** Why a mail to a ticket waits in quarantine. */
export const quarantineReasons = [
  "wrong_sender",
  "wrong_address",
  "too_many",
  "unreadable",
] as const;
export type QuarantineReason = (typeof quarantineReasons)[number];

/** Characters of a mail that are shown. */
export const shownMailCharactersMax = 20_000;

const mailFields = {
  id: uuid,
  received_at: timestamp,
  from: z.string().nullable().describe("As the mail says, which is easy to forge"),
  subject: z.string(),
  recipient: z.string().describe("The reply address that it was sent to"),
  reason: z.enum(quarantineReasons),
  size_bytes: z.int(),
  ticket: z
    .object({
      id: uuid,
      ticket_number: z.int(),
      subject: z.string(),
      customer: z.string().describe("E-mail address"),
    })
    .meta({ id: "MailedTicket" })
    .nullable()
    .describe("Null where its address is of no ticket"),
  can_accept: z.boolean(),
};

export const quarantinedMail = z.object(mailFields).meta({ id: "QuarantinedMail" });
export type QuarantinedMail = z.infer<typeof quarantinedMail>;

export const quarantinedMailDetail = z
  .object({
    ...mailFields,
    text: z
      .string()
      .describe("As plain text, without quoted mails; the mail's own bytes where it is unreadable"),
    is_raw: z.boolean().describe("It cannot be read as a mail: the text is its own bytes"),
    is_cut: z.boolean().describe("The mail goes on"),
    files: z.array(
      z
        .object({
          name: z.string(),
          size_bytes: z.int().nullable().describe("Null where it is too large for tickets"),
        })
        .meta({ id: "QuarantinedMailFile" }),
    ),
  })
  .meta({ id: "QuarantinedMailDetail" });
export type QuarantinedMailDetail = z.infer<typeof quarantinedMailDetail>;

const params = z.object({ mailId: uuid });
const shared = {
  family: "api",
  access: "staff",
  staffRoles: ["support"],
  apiKey: "none",
} as const;

export const listQuarantinedMails = route({
  ...shared,
  id: "staffMails.list",
  method: "GET",
  path: "/staff/mails",
  summary: "List mails to tickets in quarantine",
  showsPersonalData: true,
  querystring: pageQuery,
  success: 200,
  response: paged(quarantinedMail),
  errors: [...staffReadErrors],
  limits: defaultLimits.read,
});

export const readQuarantinedMail = route({
  ...shared,
  id: "staffMails.get",
  method: "GET",
  path: "/staff/mails/:mailId",
  summary: "A mail in quarantine, as plain text",
  showsPersonalData: true,
  params,
  success: 200,
  response: z.object({ mail: quarantinedMailDetail }),
  errors: [...staffReadErrors, "not_found"],
  // Each one is read again, one at a time.
  limits: [{ per: "user", max: 60, windowSeconds: 60, perProcess: true }],
});

export const acceptQuarantinedMail = route({
  ...shared,
  id: "staffMails.accept",
  method: "POST",
  path: "/staff/mails/:mailId/accept",
  summary: "Add a mail in quarantine to its ticket",
  recent: false,
  params,
  body: z.object({ reason: staffReason }),
  success: 200,
  response: acknowledgement,
  errors: [...staffReadErrors, "not_found", "conflict", "ticket_closed", "attachment_quota"],
  limits: [{ per: "user", max: 60, windowSeconds: 60, perProcess: true }],
});

export const discardQuarantinedMail = route({
  ...shared,
  id: "staffMails.discard",
  method: "POST",
  path: "/staff/mails/:mailId/discard",
  summary: "Delete the text of a mail in quarantine",
  recent: false,
  params,
  body: z.object({ reason: staffReason }),
  success: 200,
  response: acknowledgement,
  errors: [...staffReadErrors, "not_found"],
  limits: defaultLimits.change,
});

export const staffMailRoutes = {
  listQuarantinedMails,
  readQuarantinedMail,
  acceptQuarantinedMail,
  discardQuarantinedMail,
};
