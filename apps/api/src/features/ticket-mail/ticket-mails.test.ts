import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, expect, test } from "vitest";
import { announceTicketEvent } from "#src/features/tickets/ticket-events.service.ts";
import { addMessage } from "#src/features/tickets/ticket-messages.service.ts";
import {
  answerAsStaff,
  createMailApp,
  mailsOf,
  openMailedTicket,
  setStatus,
  type TestMailApp,
} from "#src/test-support/test-ticket-mail.ts";
import { ticketBody } from "#src/test-support/ticket-samples.ts";

let mailApp: TestMailApp;
beforeAll(async () => {
  mailApp = await createMailApp();
});
afterAll(() => mailApp?.close());

/** A mail that is sent after all that happened before: then what did not come by now never comes. */
async function passMails(): Promise<void> {
  const { id, user } = await openMailedTicket(mailApp);
  await answerAsStaff(mailApp, id, "Last");
  await until(() => mailsOf(mailApp, user).length === 1);
}

test("an answer of staff reaches the customer with its text, a link and an address for the reply", async () => {
  const { id, user } = await openMailedTicket(mailApp);
  const body = "Hello,\n\n<script>alert(1)</script> & more\nSam";
  await answerAsStaff(mailApp, id, body);
  const [mail] = await until(() => {
    const mails = mailsOf(mailApp, user);
    return mails.length === 1 && mails;
  });
  const number = /\[#(\d+)\]/.exec(mail?.headers.get("subject") ?? "")?.[1] ?? "";
  expect(mail?.headers.get("subject")).toBe(`Re: ${ticketBody.message} [#${number}]`);
  expect(mail?.headers.get("reply-to")).toMatch(
    new RegExp(`^support\\+${number}\\.[a-z2-7]{16}@palisade\\.example$`),
  );
  expect(mail?.headers.get("references")).toBe(`<ticket.${id}@palisade.example>`);
  expect(mail?.headers.get("in-reply-to")).toBe(`<ticket.${id}@palisade.example>`);
  expect(mail?.headers.get("auto-submitted")).toBe("auto-generated");
  expect(mail?.headers.get("list-unsubscribe")).toContain("/dashboard/profile?tab=notifications");
  expect(mail?.text.startsWith("##- Reply above this line -##\r\n")).toBe(true);
  expect(mail?.text.replaceAll("\r\n", "\n")).toContain(`Palisade support:\n\n${body}\n`);
  expect(mail?.text).toContain(`/dashboard/support/ticket/${id}`);
  expect(mail?.html).toContain("&lt;script&gt;alert(1)&lt;/script&gt; &amp; more<br>");
  expect(mail?.html).not.toContain("<script>");
});

test("files are named and stay in the console", async () => {
  const { id, user } = await openMailedTicket(mailApp);
  const { db, bus, clock } = mailApp.testApp.platform;
  const file = await db
    .selectFrom("ticket_attachments")
    .selectAll()
    .where("ticket_id", "=", id)
    .executeTakeFirstOrThrow();
  // As a call of staff does: the file's row comes in the same transaction.
  await db.transaction().execute((trx) =>
    addMessage(bus, trx, {
      ticketId: id,
      authorId: mailApp.staff.id,
      isAdmin: true,
      isInternal: false,
      body: "See the file",
      source: "console",
      files: [
        { ...file, id: crypto.randomUUID(), storage_key: "none", original_name: "log&1.txt" },
      ],
      now: clock.now(),
    }),
  );
  const [mail] = await until(() => {
    const mails = mailsOf(mailApp, user);
    return mails.length === 1 && mails;
  });
  expect(mail?.text).toContain("Files: log&1.txt");
  expect(mail?.html).toContain("log&amp;1.txt");
  expect(mail?.headers.get("content-type")).toContain("multipart/alternative");
});

test("in the language of the account", async () => {
  const { id, user } = await openMailedTicket(mailApp);
  await mailApp.testApp.platform.db
    .updateTable("users")
    .set({ locale: "ru" })
    .where("id", "=", user.id)
    .execute();
  await answerAsStaff(mailApp, id, "Здравствуйте");
  await until(() => mailsOf(mailApp, user)[0]?.text.includes("Поддержка вам ответила"));
});

test("no mail is sent for internal notes, to customers who want none, and after a rollback", async () => {
  const { id, user } = await openMailedTicket(mailApp);
  await answerAsStaff(mailApp, id, "For staff alone", { isInternal: true });
  const other = await openMailedTicket(mailApp);
  const { db, bus } = mailApp.testApp.platform;
  await db
    .insertInto("profiles")
    .values({ user_id: other.user.id, email_notifications: false })
    .onConflict((conflict) =>
      conflict.column("user_id").doUpdateSet({ email_notifications: false }),
    )
    .execute();
  await answerAsStaff(mailApp, other.id, "Hello");
  await setStatus(mailApp, other.id, "closed");
  await expect(
    db.transaction().execute(async (trx) => {
      await trx.updateTable("tickets").set({ status: "resolved" }).where("id", "=", id).execute();
      await announceTicketEvent(bus, trx, { ticket_id: id, kind: "status" });
      throw new Error("Rolled back");
    }),
  ).rejects.toThrow("Rolled back");
  await passMails();
  expect([mailsOf(mailApp, user), mailsOf(mailApp, other.user)]).toEqual([[], []]);
});

test("resolving and closing ask how the help was", async () => {
  const { id, user } = await openMailedTicket(mailApp);
  await setStatus(mailApp, id, "resolved");
  await setStatus(mailApp, id, "closed");
  await setStatus(mailApp, id, "in_progress");
  await passMails();
  const mails = mailsOf(mailApp, user);
  const texts = mails.map(({ text }) => text).toSorted();
  expect(mails).toHaveLength(2);
  expect(texts.join()).toContain("Close the ticket and rate our help");
  expect(texts.join()).toContain("How was our help?");
  // A closed ticket takes no answers by mail.
  const closed = mails.find(({ text }) => text.includes("Your ticket is closed"));
  expect(closed?.headers.get("reply-to")).toBe("operator@example.com");
});
