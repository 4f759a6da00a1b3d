import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "#src/platform/database/ids.ts";
import {
  addQuarantinedMail,
  type QuarantinedMailSample,
} from "#src/test-support/quarantined-mails.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { mailedMessages } from "#src/test-support/test-ticket-mail.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";
import { addTicket, tinyPng } from "#src/test-support/ticket-samples.ts";

let testApp: TestApp;
let staff: TestUser;
let customer: TestUser;
beforeAll(async () => {
  testApp = await createTestApp();
  staff = await createStaff(testApp, ["support"]);
  customer = await createUser(testApp);
});
afterAll(() => testApp?.close());

const { staffMails } = routes;
const reason = "From their address at work";

async function quarantined(
  mail: Partial<QuarantinedMailSample> = {},
  { isClosed = false }: { readonly isClosed?: boolean } = {},
) {
  const { id: ticketId } = await addTicket(testApp, customer.id, { isClosed });
  return { ticketId, mailId: await addQuarantinedMail(testApp, { ticketId, ...mail }) };
}

const settle = (decision: "accept" | "discard", mailId: string) =>
  call(
    testApp,
    decision === "accept" ? staffMails.acceptQuarantinedMail : staffMails.discardQuarantinedMail,
    { token: staff.token, params: { mailId }, body: { reason } },
  );

async function look(mailId: string) {
  const params = { mailId };
  const answer = await call(testApp, staffMails.readQuarantinedMail, {
    token: staff.token,
    params,
  });
  expect(answer.statusCode).toBe(200);
  return staffMails.readQuarantinedMail.response.parse(answer.json()).mail;
}

async function list() {
  const answer = await call(testApp, staffMails.listQuarantinedMails, { token: staff.token });
  return staffMails.listQuarantinedMails.response.parse(answer.json()).data;
}

function stored(mailId: string) {
  return testApp.platform.db
    .selectFrom("inbound_mails")
    .select(["status", "reason", "source", "message_id"])
    .where("id", "=", mailId)
    .executeTakeFirstOrThrow();
}

const withFile = [
  "Content-Type: multipart/mixed; boundary=b",
  "",
  "--b",
  "Content-Type: text/html; charset=utf-8",
  "",
  "<p>It works <b>now</b>.</p><script>alert(1)</script>",
  "--b",
  'Content-Type: image/png; name="screen.png"',
  'Content-Disposition: attachment; filename="screen.png"',
  "Content-Transfer-Encoding: base64",
  "",
  tinyPng.toString("base64"),
  "--b--",
];

test("a mail in quarantine is listed with its ticket, and read as plain text", async () => {
  const { ticketId, mailId } = await quarantined({ lines: withFile });
  expect((await list()).find(({ id }) => id === mailId)).toMatchObject({
    from: "other@example.com",
    subject: "Re: Players cannot join",
    reason: "wrong_sender",
    ticket: { id: ticketId, customer: customer.email },
    can_accept: true,
  });
  expect(await look(mailId)).toMatchObject({
    text: "It works now.",
    is_raw: false,
    is_cut: false,
    files: [{ name: "screen.png", size_bytes: tinyPng.length }],
  });
});

test("an accepted mail is a message of the customer's with its files, once", async () => {
  const { ticketId, mailId } = await quarantined({ lines: withFile });
  const answers = await Promise.all([settle("accept", mailId), settle("accept", mailId)]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 404]);
  const messages = await mailedMessages({ testApp }, ticketId);
  expect(messages).toMatchObject([
    { body: "It works now.", author_id: customer.id, is_admin: false, files: ["screen.png"] },
  ]);
  expect(await stored(mailId)).toEqual({
    status: "added",
    reason: "wrong_sender",
    source: null,
    message_id: messages[0]?.id,
  });
  expect((await list()).map(({ id }) => id)).not.toContain(mailId);
});

test("a discarded mail is gone, and adds nothing to its ticket", async () => {
  const { ticketId, mailId } = await quarantined();
  expect((await settle("discard", mailId)).statusCode).toBe(200);
  expect(await stored(mailId)).toMatchObject({ status: "ignored", source: null });
  expect(await mailedMessages({ testApp }, ticketId)).toEqual([]);
  const params = { mailId };
  const again = await call(testApp, staffMails.readQuarantinedMail, { token: staff.token, params });
  expect(again.statusCode).toBe(404);
  expect((await settle("accept", mailId)).statusCode).toBe(404);
  expect((await settle("discard", newId())).statusCode).toBe(404);
});

test("an unreadable mail is shown by its own bytes, and cannot be accepted", async () => {
  const { mailId } = await quarantined({
    reason: "unreadable",
    lines: ["", "\u202Eevil\u0000 text", "x".repeat(30_000)],
  });
  const mail = await look(mailId);
  expect(mail).toMatchObject({ is_raw: true, is_cut: true, can_accept: false, subject: "" });
  expect(mail.text).toContain("\n\nevil text\nxxx");
  const answer = await settle("accept", mailId);
  expect([answer.statusCode, answer.json().message]).toEqual([409, "This mail cannot be read"]);
});

test.each([
  ["of no ticket", { ticketId: null, reason: "wrong_address" }, {}, "conflict"],
  ["without a text", { lines: ["", " "] }, {}, "conflict"],
  ["for a closed ticket", {}, { isClosed: true }, "ticket_closed"],
] as const)("a mail %s stays in quarantine", async (_, mail, ticket, code) => {
  const { mailId } = await quarantined(mail, ticket);
  const answer = await settle("accept", mailId);
  expect([answer.statusCode, answer.json().code]).toEqual([409, code]);
  expect(await stored(mailId)).toMatchObject({ status: "quarantined" });
});
