import { until } from "@palisade/testing/until";
import { createTransport, type SendMailOptions } from "nodemailer";
import { addMessage } from "#src/features/tickets/ticket-messages.service.ts";
import { changeStatus } from "#src/features/tickets/tickets.service.ts";
import type { TicketStatus } from "@palisade/contract/http/tickets";
import { readMail, startSmtp, type StubSmtpServer } from "./stub-smtp-server.ts";
import { createTestApp, type TestApp, type TestAppOptions } from "./test-app.ts";
import { addTicket } from "./ticket-samples.ts";
import { createStaff, createUser, type TestUser } from "./test-users.ts";

export interface TestMailApp {
  readonly testApp: TestApp;
  /** The server that gets the product's mails. */
  readonly outgoing: StubSmtpServer;
  /** The port at which it takes mails. */
  readonly port: number;
  readonly staff: TestUser;
  close(): Promise<void>;
}

/** An app that sends to a mail server of the test, and takes mails itself. */
export async function createMailApp(options: TestAppOptions = {}): Promise<TestMailApp> {
  const outgoing = await startSmtp();
  const testApp = await createTestApp({
    ...options,
    config: {
      smtpUrl: outgoing.url,
      mailFrom: "Palisade <no-reply@palisade.example>",
      supportMail: {
        address: "support@palisade.example",
        smtp: { host: "127.0.0.1", port: 0 },
        imap: undefined,
      },
      ...options.config,
    },
  });
  const listener = await testApp.listenForMails(undefined);
  if (listener === undefined) throw new Error("No port was opened");
  return {
    testApp,
    outgoing,
    port: listener.port,
    staff: await createStaff(testApp),
    async close() {
      await testApp.close();
      await outgoing.close();
    },
  };
}

export interface MailedTicket {
  readonly id: string;
  readonly user: TestUser;
}

/** The parts that a ticket is answered with. */
type StaffedApp = Pick<TestMailApp, "testApp" | "staff">;

export async function openMailedTicket(
  { testApp }: Pick<TestMailApp, "testApp">,
  options: Parameters<typeof addTicket>[2] = {},
): Promise<MailedTicket> {
  const user = await createUser(testApp);
  const { id } = await addTicket(testApp, user.id, options);
  return { id, user };
}

/** As the calls of staff do it. @returns the message's id */
export function answerAsStaff(
  { testApp, staff }: StaffedApp,
  ticketId: string,
  body: string,
  { isInternal = false }: { readonly isInternal?: boolean } = {},
): Promise<string> {
  const { db, bus } = testApp.platform;
  return db.transaction().execute(async (trx) => {
    const { messageId } = await addMessage(bus, trx, {
      ticketId,
      authorId: staff.id,
      isAdmin: true,
      isInternal,
      body,
      source: "console",
      files: [],
      now: testApp.clock.now(),
    });
    return messageId;
  });
}

export async function setStatus(
  { testApp }: TestMailApp,
  ticketId: string,
  status: TicketStatus,
): Promise<void> {
  const { db, bus } = testApp.platform;
  await db.transaction().execute(async (trx) => {
    const ticket = await trx
      .selectFrom("tickets")
      .select(["id", "status"])
      .where("id", "=", ticketId)
      .executeTakeFirstOrThrow();
    await changeStatus(bus, trx, ticket, { status, now: testApp.clock.now() });
  });
}

/** The mails that the user got, oldest first. */
export function mailsOf({ outgoing }: TestMailApp, user: TestUser) {
  return outgoing.received
    .filter(({ to }) => to.includes(user.email))
    .map(({ source }) => readMail(source));
}

/** Sends as a mail program does. @throws where the mail is refused */
export async function sendMail(port: number, mail: SendMailOptions): Promise<void> {
  const transport = createTransport({
    host: "127.0.0.1",
    port,
    tls: { rejectUnauthorized: false },
  });
  try {
    await transport.sendMail(mail);
  } finally {
    transport.close();
  }
}

/** The mails to a ticket's address with their outcome, oldest first. */
export function keptMails({ testApp }: TestMailApp, recipient: string) {
  return testApp.platform.db
    .selectFrom("inbound_mails")
    .select(["status", "reason", "source", "was_answered"])
    .where("recipient", "=", recipient)
    .orderBy("received_at")
    .orderBy("id")
    .execute();
}

/** The customer's messages in the ticket that came by mail, with the names of their files. */
export async function mailedMessages({ testApp }: Pick<TestMailApp, "testApp">, ticketId: string) {
  const { db } = testApp.platform;
  const rows = await db
    .selectFrom("ticket_messages")
    .select(["id", "body", "is_admin", "is_internal", "author_id"])
    .where("ticket_id", "=", ticketId)
    .where("source", "=", "mail")
    .orderBy("position")
    .execute();
  const files = await db
    .selectFrom("ticket_attachments")
    .select(["message_id", "original_name"])
    .where("ticket_id", "=", ticketId)
    .orderBy("position")
    .execute();
  return rows.map((row) => ({
    ...row,
    files: files
      .filter(({ message_id }) => message_id === row.id)
      .map(({ original_name }) => original_name),
  }));
}

export interface AnsweredTicket extends MailedTicket {
  /** The reply address, as the mail about the answer has it. */
  readonly to: string;
  /** The text of that mail. */
  readonly mailed: string;
}

/** A ticket that staff have answered, so that its customer got a mail. */
export async function openAnsweredTicket(mailApp: TestMailApp): Promise<AnsweredTicket> {
  const ticket = await openMailedTicket(mailApp);
  await answerAsStaff(mailApp, ticket.id, "Please change the port.");
  const mail = await until(() => mailsOf(mailApp, ticket.user)[0]);
  return { ...ticket, to: mail.headers.get("reply-to") ?? "", mailed: mail.text };
}

/** Once all mails to the address are processed. */
export function processedMails(mailApp: TestMailApp, to: string, count: number) {
  return until(
    async () => {
      const mails = await keptMails(mailApp, to);
      return mails.length === count && mails.every(({ status }) => status !== "received") && mails;
    },
    { what: `${count} processed mails`, capMs: 110_000 },
  );
}

export function quoted(text: string): string {
  return text.replaceAll(/^/gm, "> ");
}
