import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  answerAsStaff,
  mailedMessages,
  openMailedTicket,
} from "#src/test-support/test-ticket-mail.ts";
import { createStaff, mailsTo } from "#src/test-support/test-users.ts";

let testApp: TestApp;
beforeAll(async () => {
  const supportMail = { address: "support@palisade.localhost", smtp: undefined, imap: undefined };
  testApp = await createTestApp({ config: { supportMail } });
});
afterAll(() => testApp?.close());

const send = (fields: Record<string, string>, site = "same-origin") =>
  testApp.app.inject({
    method: "POST",
    url: "/dev/mail/answer",
    headers: {
      host: "127.0.0.1",
      "content-type": "application/x-www-form-urlencoded",
      "sec-fetch-site": site,
    },
    payload: new URLSearchParams(fields).toString(),
  });

test("a mail about a ticket is answered in the development mailbox, by a form of its own page alone", async () => {
  const { id, user } = await openMailedTicket({ testApp });
  await answerAsStaff({ testApp, staff: await createStaff(testApp) }, id, "Please try again.");
  const [mail] = await until(async () => {
    const mails = await mailsTo(testApp, user.email);
    return mails.length === 1 && mails;
  });
  const page = await testApp.app.inject({ url: "/dev/mail", headers: { host: "127.0.0.1" } });
  expect(page.body).toContain(`name="id" value="${mail?.id}"`);
  const answer = { id: mail?.id ?? "", text: "It works, спасибо!" };
  expect((await send(answer, "cross-site")).statusCode).toBe(403);
  expect(await send(answer)).toMatchObject({ statusCode: 303, headers: { location: "/dev/mail" } });
  const messages = await until(async () => {
    const all = await mailedMessages({ testApp }, id);
    return all.length > 0 && all;
  });
  expect(messages.map(({ body }) => body)).toEqual(["It works, спасибо!"]);
});
