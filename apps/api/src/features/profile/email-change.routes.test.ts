import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { linkToken } from "#src/test-support/account-samples.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  call,
  createUser,
  expectStatus,
  logIn,
  mailsTo,
  newestCode,
  testPassword,
  type TestUser,
  steppedUp,
} from "#src/test-support/test-users.ts";
import { hold, untilWaiting } from "#src/test-support/waiting.ts";
import { deleteEmailChange } from "./email-changes.repository.ts";
import { deleteSessionsOf } from "#src/features/sessions/sessions.repository.ts";
import { lockUser } from "#src/features/users/users.service.ts";

let testApp: TestApp;
const logLines: string[] = [];
beforeAll(async () => {
  testApp = await createTestApp({
    config: { publicUrl: "https://palisade.example/" },
    onLog: (line) => logLines.push(line),
  });
});
afterAll(() => testApp?.close());

let serial = 0;
const freshEmail = () => `new${++serial}@example.com`;

function request({ token }: Pick<TestUser, "token">, email: string, confirmation = email) {
  return call(testApp, routes.account.updateEmail, {
    token,
    body: { email, email_confirmation: confirmation },
  });
}

const confirm = (token: string) =>
  call(testApp, routes.account.confirmEmailChange, { body: { token } });

const linkTo = (email: string): Promise<string> =>
  until(async () => linkToken(await mailsTo(testApp, email)));

const subjectsTo = async (email: string) =>
  (await mailsTo(testApp, email)).map((mail) => mail.subject);

async function profileOf({ token }: Pick<TestUser, "token">) {
  const answer = await expectStatus(call(testApp, routes.account.getProfile, { token }), 200);
  return routes.account.getProfile.response.parse(answer.json()).profile;
}

test("the old address works until the link is opened; then the new one, and every session is over", async () => {
  const user = await createUser(testApp);
  const other = await logIn(testApp, user.email);
  const email = freshEmail();
  const answer = await expectStatus(request(user, ` ${email} `, email), 200);
  expect(answer.json().message).toMatch(/^Email updated successfully/);
  const token = await linkTo(email);
  expect(await profileOf(user)).toMatchObject({ email: user.email, pending_email: email });
  await logIn(testApp, user.email);
  await until(async () =>
    (await mailsTo(testApp, user.email)).some(
      (mail) => mail.subject.includes("A new e-mail") && mail.text_body.includes(email),
    ),
  );

  await expectStatus(confirm(token), 200);
  for (const session of [user, other]) {
    await expectStatus(call(testApp, routes.auth.user, { token: session.token }), 401);
  }
  const moved = await logIn(testApp, email);
  expect(moved.id).toBe(user.id);
  expect(await profileOf(moved)).toMatchObject({ email, pending_email: null });
  await expectStatus(
    call(testApp, routes.auth.login, { body: { email: user.email, password: testPassword } }),
    422,
  );
  await until(async () =>
    (await subjectsTo(user.email)).includes("The e-mail of your account was changed"),
  );
  expect(logLines.join("")).not.toContain(token);
});

test("the link leads to the console of the settings, its token where no server sees it", async () => {
  const user = await createUser(testApp);
  const email = freshEmail();
  await expectStatus(request(user, email), 200);
  const token = await linkTo(email);
  const [mail] = await mailsTo(testApp, email);
  expect(mail?.text_body).toContain(`https://palisade.example/confirm-email#token=${token}\n`);
  expect(mail?.html_body).toContain(`href="https://palisade.example/confirm-email#token=${token}"`);
  const rows = await testApp.platform.db.selectFrom("email_changes").selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(token);
});

describe("an address that has an account", () => {
  test("gets the same answer, and a mail without a link in place of one with it", async () => {
    const [user, holder] = [await createUser(testApp), await createUser(testApp)];
    const free = await request(user, freshEmail());
    const taken = await request(user, holder.email.toUpperCase());
    expect([taken.statusCode, taken.body]).toEqual([free.statusCode, free.body]);
    expect((await profileOf(user)).pending_email).toBe(holder.email.toUpperCase());
    const mail = await until(async () =>
      (await mailsTo(testApp, holder.email.toUpperCase())).find(
        ({ subject }) => subject === "This address already has an account",
      ),
    );
    expect(mail.text_body).not.toContain("token");
  });

  test("taken between request and link, only its mailbox is told", async () => {
    const user = await createUser(testApp);
    const email = freshEmail();
    await request(user, email);
    const token = await linkTo(email);
    await createUser(testApp, email);
    const answer = await confirm(token);
    expect([answer.statusCode, answer.json().code]).toEqual([422, "email_taken"]);
    expect((await profileOf(user)).email).toBe(user.email);
  });

  test("two accounts that go for one address at once: one gets it", async () => {
    const users = [await createUser(testApp), await createUser(testApp)];
    const email = freshEmail();
    const links: string[] = [];
    for (const user of users) {
      await expectStatus(request(user, email), 200);
      links.push(
        await until(async () => {
          const link = linkToken(await mailsTo(testApp, email));
          return link !== undefined && !links.includes(link) ? link : undefined;
        }),
      );
      testApp.clock.advance(120_000);
    }
    const answers = await Promise.all(links.map(confirm));
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 422,
    ]);
    await logIn(testApp, email);
  });

  test("an unconfirmed registration does not block the address", async () => {
    const user = await createUser(testApp);
    const email = freshEmail();
    await request(user, email);
    const token = await linkTo(email);
    const password = "squatter's password";
    await call(testApp, routes.auth.register, {
      ip: "198.51.100.7",
      body: { email, password, password_confirmation: password, accept_privacy_policy: true },
    });
    await expectStatus(confirm(token), 200);
    expect((await logIn(testApp, email)).id).toBe(user.id);
  });
});

describe("links", () => {
  test("work once, the newest only, for a day", async () => {
    const user = await createUser(testApp);
    const [first, second] = [freshEmail(), freshEmail()];
    await request(user, first);
    const older = await linkTo(first);
    await request(user, second);
    const newer = await linkTo(second);
    expect((await confirm(older)).json()).toMatchObject({
      code: "invalid_code",
      message: "This link is wrong, used or expired. Ask for a new one",
    });
    const answers = await Promise.all([confirm(newer), confirm(newer), confirm(newer)]);
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 422, 422,
    ]);
    const moved = await logIn(testApp, second);
    const third = freshEmail();
    await request(moved, third);
    const late = await linkTo(third);
    testApp.clock.advance(86_400_000);
    await expectStatus(confirm(late), 422);
    expect((await profileOf(moved)).pending_email).toBeNull();
  });

  test("are void once the password is changed or reset: who asked may have been a thief", async () => {
    const user = await createUser(testApp);
    const [first, second] = [freshEmail(), freshEmail()];
    await request(user, first);
    const link = await linkTo(first);
    const password = "another battery staple";
    await expectStatus(
      call(testApp, routes.account.updatePassword, {
        token: user.token,
        body: { current_password: testPassword, password, password_confirmation: password },
      }),
      200,
    );
    await expectStatus(confirm(link), 422);

    const victim = await createUser(testApp);
    await request(victim, second);
    const other = await linkTo(second);
    await call(testApp, routes.passwordReset.forgotPassword, { body: { email: victim.email } });
    const code = await newestCode(testApp, victim.email);
    await expectStatus(
      call(testApp, routes.passwordReset.resetPassword, {
        body: { email: victim.email, code, password, password_confirmation: password },
      }),
      200,
    );
    await expectStatus(confirm(other), 422);
  });
});

test("asked for beside a reset there is none: the session that asked has ended", async () => {
  const user = await createUser(testApp);
  const email = freshEmail();
  const resetting = await hold(testApp, async (trx) => {
    await lockUser(trx, user.id);
    await deleteSessionsOf(trx, user.id);
    await deleteEmailChange(trx, user.id);
  });
  const underWay = request(user, email);
  await untilWaiting(testApp, 1);
  await resetting.release();
  expect((await underWay).statusCode).toBe(401);
  expect(await profileOf(await logIn(testApp, user.email))).toMatchObject({ pending_email: null });
});

test("an address gets a link every 120 s and ten a day, counted over all callers", async () => {
  const email = freshEmail();
  const askers = [await createUser(testApp), await createUser(testApp), await createUser(testApp)];
  for (let sent = 0; sent < 10; sent += 1) {
    const own = askers[sent % 3]?.email ?? "";
    await expectStatus(request(await logIn(testApp, own), email), 200);
    testApp.clock.advance(119_000);
    if (sent === 0) await expectStatus(request(await logIn(testApp, own), email), 429);
    testApp.clock.advance(1_000);
  }
  const refused = await request(await logIn(testApp, askers[1]?.email ?? ""), email);
  expect(refused.statusCode).toBe(429);
  expect(refused.json().retry_after).toBeGreaterThan(80_000);
});

describe("refused", () => {
  test.each([
    [{ email: "x", email_confirmation: "x" }, "email", "Invalid email"],
    [{ email: "", email_confirmation: "" }, "email", "Required"],
    [
      { email: "a@example.com", email_confirmation: "b@example.com" },
      "email_confirmation",
      "Emails must match",
    ],
  ])("%j", async (body, path, message) => {
    const { token } = await createUser(testApp);
    const answer = await call(testApp, routes.account.updateEmail, { token, body });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().issues[0]).toMatchObject({ path, message });
  });

  test("one's own address, whatever its case", async () => {
    const user = await createUser(testApp);
    const answer = await request(user, user.email.toUpperCase());
    expect(answer.statusCode).toBe(422);
    expect(answer.json().issues[0]).toMatchObject({
      path: "email",
      message: "New email must be different from current email",
    });
  });

  test("without recent authentication, until the password is given again", async () => {
    const user = await createUser(testApp);
    testApp.clock.advance(600_000);
    const email = freshEmail();
    // Which does not use up what the address may be sent.
    const answer = await request(user, email);
    expect([answer.statusCode, answer.json().code]).toEqual([403, "step_up_required"]);
    const token = await steppedUp(testApp, user);
    await expectStatus(request({ ...user, token }, email), 200);
  });
});
