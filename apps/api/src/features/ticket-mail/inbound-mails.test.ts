import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  answerAsStaff,
  createMailApp,
  keptMails,
  mailedMessages,
  mailsOf,
  openAnsweredTicket,
  processedMails,
  quoted,
  sendMail,
  type MailedTicket,
  type TestMailApp,
} from "#src/test-support/test-ticket-mail.ts";
import { routes } from "@palisade/contract/http/routes";
import { call } from "#src/test-support/test-users.ts";
import { tinyPng } from "#src/test-support/ticket-samples.ts";

let mailApp: TestMailApp;
beforeAll(async () => {
  mailApp = await createMailApp();
});
afterAll(() => mailApp?.close());

const answeredTicket = () => openAnsweredTicket(mailApp);
const processed = (to: string, count: number) => processedMails(mailApp, to, count);

test("an answer by mail appears in the ticket, without the quoted mail and with its files", async () => {
  const { id, user, to, mailed } = await answeredTicket();
  await sendMail(mailApp.port, {
    from: { name: "Alex", address: user.email.toUpperCase() },
    to: `Palisade <${to}>`,
    subject: "Re: Players cannot join",
    messageId: "<first@example.com>",
    text: `It works now.\r\nThank you!\r\n\r\nOn Thu, Nov 26, 2026 at 8:15 PM Palisade <${to}>\r\nwrote:\r\n\r\n${quoted(mailed)}`,
    attachments: [
      { filename: "screen.png", content: tinyPng },
      { filename: "../../players.csv", content: "a;b\n" },
    ],
  });
  await processed(to, 1);
  expect(await mailedMessages(mailApp, id)).toMatchObject([
    {
      body: "It works now.\nThank you!",
      is_admin: false,
      is_internal: false,
      author_id: user.id,
      files: ["screen.png", "players.csv"],
    },
  ]);
  const { status } = await mailApp.testApp.platform.db
    .selectFrom("tickets")
    .select("status")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  expect(status).toBe("in_progress");
  // The mail itself is not needed any more.
  expect(await keptMails(mailApp, to)).toMatchObject([{ status: "added", source: null }]);
  // The next answer belongs to the customer's mail, too.
  await answerAsStaff(mailApp, id, "Good.");
  const mails = await until(() => {
    const all = mailsOf(mailApp, user);
    return all.length === 2 && all;
  });
  const next = mails.find(({ text }) => text.includes("Good."));
  expect(next?.headers.get("references")).toBe(
    `<ticket.${id}@palisade.example> <first@example.com>`,
  );
  expect(next?.headers.get("in-reply-to")).toBe("<first@example.com>");
});

test("a mail that is delivered twice is added once", async () => {
  const { id, user, to } = await answeredTicket();
  const mail = { from: user.email, to, text: "Once", messageId: "<twice@example.com>" };
  await sendMail(mailApp.port, mail);
  await sendMail(mailApp.port, { ...mail, text: "Once, by another way" });
  await sendMail(mailApp.port, { ...mail, messageId: "<other@example.com>", text: "Twice" });
  await processed(to, 2);
  expect((await mailedMessages(mailApp, id)).map(({ body }) => body)).toEqual(["Once", "Twice"]);
});

test("a long text is added with the whole of it as a file", async () => {
  const { id, user, to } = await answeredTicket();
  await sendMail(mailApp.port, {
    from: user.email,
    to,
    text: "A line of a long log.\n".repeat(700),
  });
  await processed(to, 1);
  const [message] = await mailedMessages(mailApp, id);
  expect(message?.files).toEqual(["message.txt"]);
  expect(message?.body.endsWith("[… message.txt]")).toBe(true);
  expect(message?.body).toHaveLength(10_000);
});

describe("no mail is taken", () => {
  test("to any address but those of tickets", async () => {
    const { user, to } = await answeredTicket();
    const forged = to.replace(/\.[a-z2-7]{16}@/, ".aaaaaaaaaaaaaaaa@");
    for (const address of [
      forged,
      "support@palisade.example",
      to.replace("palisade.example", "example.com"),
      to.replace(/\+\d+/, "+99999999"),
    ]) {
      await expect(
        sendMail(mailApp.port, { from: user.email, to: address, text: "Hello" }),
        address,
      ).rejects.toThrow("550");
      expect(await keptMails(mailApp, address)).toEqual([]);
    }
  });
});

describe("into quarantine comes, and gets no answer,", () => {
  test.each([
    ["a mail of another sender", { from: "mallory@example.com" }],
    ["a mail of several senders", { from: "mallory@example.com, {user}" }],
    ["a mail whose sender is only a name", { from: { name: "{user}", address: "m@example.com" } }],
  ])("%s", async (_, headers) => {
    const { id, user, to } = await answeredTicket();
    const filled = JSON.parse(JSON.stringify(headers).replaceAll("{user}", user.email)) as object;
    await sendMail(mailApp.port, {
      to,
      text: "Please send me the password",
      ...filled,
      envelope: { from: "m@example.com", to },
    });
    const [kept] = await processed(to, 1);
    expect(kept).toMatchObject({ status: "quarantined", reason: "wrong_sender" });
    expect(kept?.source).not.toBeNull();
    // Staff see it as a note; the customer does not.
    expect(await mailedMessages(mailApp, id)).toMatchObject([
      { is_internal: true, body: expect.stringContaining("Please send me the password") },
    ]);
    const shown = await call(mailApp.testApp, routes.tickets.getTicket, {
      token: user.token,
      params: { id },
    });
    expect(shown.statusCode).toBe(200);
    expect(shown.body).not.toContain("send me the password");
    expect(mailsOf(mailApp, user)).toHaveLength(1);
  });

  test("a flood of mails of another sender, of which three become notes", async () => {
    const { id, user, to } = await answeredTicket();
    for (let mail = 0; mail < 5; mail += 1) {
      await sendMail(mailApp.port, { from: "m@example.com", to, text: `Buy ${mail}` });
    }
    await processed(to, 5);
    expect(await mailedMessages(mailApp, id)).toHaveLength(3);
    expect(mailsOf(mailApp, user)).toHaveLength(1);
  });

  test("a mail that cannot be read", async () => {
    const { id, user, to } = await answeredTicket();
    const parts = "--b\r\nContent-Type: text/plain\r\n\r\nx\r\n".repeat(3_000);
    await sendMail(mailApp.port, {
      envelope: { from: user.email, to },
      raw: `From: ${user.email}\r\nTo: ${to}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts}--b--\r\n`,
    });
    expect(await processed(to, 1)).toMatchObject([{ status: "quarantined", reason: "unreadable" }]);
    expect(await mailedMessages(mailApp, id)).toEqual([]);
  });
});

describe("neither added nor answered is", () => {
  test.each([
    ["an out-of-office note", { headers: { "auto-submitted": "auto-replied" } }, undefined],
    ["a mailing list", { headers: { "list-id": "<a.example.com>" } }, undefined],
    ["a bounce", {}, ""],
    [
      "a mail of ours that came back",
      { headers: { "auto-submitted": "auto-generated" } },
      undefined,
    ],
  ])("%s", async (_, mail, sender) => {
    const { id, user, to } = await answeredTicket();
    await sendMail(mailApp.port, {
      from: user.email,
      to,
      text: "I am on holiday",
      envelope: { from: sender ?? user.email, to },
      ...mail,
    });
    expect(await processed(to, 1)).toMatchObject([
      { status: "ignored", reason: "automatic", source: null },
    ]);
    expect(await mailedMessages(mailApp, id)).toEqual([]);
    expect(mailsOf(mailApp, user)).toHaveLength(1);
  });
});

test("two programs that write to each other stop: of 100 mails 20 are added, and none is answered", async () => {
  const { id, user, to } = await answeredTicket();
  await Promise.all(
    Array.from({ length: 2 }, async (_, sender) => {
      for (let mail = 0; mail < 50; mail += 1) {
        await sendMail(mailApp.port, { from: user.email, to, text: `Got it ${sender}.${mail}` });
      }
    }),
  );
  const kept = await processed(to, 100);
  const of = (status: string) => kept.filter((mail) => mail.status === status);
  expect([of("added").length, of("quarantined").length]).toEqual([20, 80]);
  expect(new Set(of("quarantined").map(({ reason }) => reason))).toEqual(new Set(["too_many"]));
  expect(await mailedMessages(mailApp, id)).toHaveLength(20);
  expect(mailsOf(mailApp, user)).toHaveLength(1);
  // Later the customer can write again.
  mailApp.testApp.clock.advance(3_601_000);
  await sendMail(mailApp.port, { from: user.email, to, text: "Later" });
  await processed(to, 101);
  expect(await mailedMessages(mailApp, id)).toHaveLength(21);
});

describe("the customer is told by mail", () => {
  /** The mails besides the one about the answer. */
  const toldOf = (user: MailedTicket["user"], count: number) =>
    until(() => {
      const mails = mailsOf(mailApp, user).filter(({ text }) => !text.includes("has answered you"));
      return mails.length === count && mails;
    });

  test("that a closed ticket takes no mails and how to open it again, three times an hour", async () => {
    const { id, user, to } = await answeredTicket();
    const { db } = mailApp.testApp.platform;
    const closed_at = mailApp.testApp.clock.now();
    await db
      .updateTable("tickets")
      .set({ status: "closed", closed_at })
      .where("id", "=", id)
      .execute();
    for (let mail = 0; mail < 5; mail += 1) {
      await sendMail(mailApp.port, {
        from: user.email,
        to,
        text: "Still broken",
        messageId: `<m${mail}@${id}>`,
      });
    }
    const kept = await processed(to, 5);
    expect(
      kept.every(({ status, reason }) => status === "refused" && reason === "ticket_closed"),
    ).toBe(true);
    expect(kept.filter(({ was_answered }) => was_answered)).toHaveLength(3);
    const [mail] = await toldOf(user, 3);
    expect(mail?.text).toContain("is closed, so we could not add your mail to it");
    expect(mail?.text).toContain(`/dashboard/support/ticket/${id}`);
    expect(mail?.headers.get("in-reply-to")).toMatch(/^<m\d@/);
    expect(await mailedMessages(mailApp, id)).toEqual([]);
  });

  test("which files were not added", async () => {
    const { id, user, to } = await answeredTicket();
    await sendMail(mailApp.port, {
      from: user.email,
      to,
      text: "See the files",
      attachments: [
        { filename: "program.exe", content: Buffer.from("MZ\u0000\u0001") },
        { filename: "latest.log", content: "[12:00] joined\n" },
        { filename: "again.log", content: "[12:00] joined\n" },
        { filename: "paper.pdf", content: "%PDF-1.7\n%%EOF" },
      ],
    });
    await processed(to, 1);
    const [message] = await mailedMessages(mailApp, id);
    expect(message?.files).toEqual(["latest.log"]);
    const [mail] = await toldOf(user, 1);
    expect(mail?.text).toContain("Not added: program.exe, paper.pdf");
  });

  test("that a mail without text and files has nothing to add", async () => {
    const { id, user, to, mailed } = await answeredTicket();
    await sendMail(mailApp.port, { from: user.email, to, text: quoted(mailed) });
    expect(await processed(to, 1)).toMatchObject([{ status: "refused", reason: "empty" }]);
    expect((await toldOf(user, 1))[0]?.text).toContain("We found no text in your mail");
    expect(await mailedMessages(mailApp, id)).toEqual([]);
  });
});
