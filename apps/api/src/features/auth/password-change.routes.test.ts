import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createTwoFactorUser } from "#src/test-support/test-two-factor.ts";
import {
  call,
  createApiKey,
  createUser,
  expectStatus,
  logIn,
  mailsTo,
  openSession,
  testPassword,
  type TestUser,
} from "#src/test-support/test-users.ts";

let testApp: TestApp;
let replica: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
  replica = await createTestApp({ sharing: testApp });
});
afterAll(async () => {
  await replica?.close();
  await testApp?.close();
});

const password = "another battery staple";

function change({ token }: Pick<TestUser, "token">, body: object, language = "en") {
  return call(testApp, routes.account.updatePassword, {
    token,
    headers: { "accept-language": language },
    body: {
      current_password: testPassword,
      password,
      password_confirmation: password,
      ...body,
    },
  });
}

const login = (email: string, typed: string, app = testApp) =>
  call(app, routes.auth.login, { body: { email, password: typed } });

test("a thief of the session and the password cannot lock out an owner with two-factor", async () => {
  const owner = await createTwoFactorUser(testApp);
  const stolen = await openSession(testApp, owner, "password");
  const answer = await expectStatus(change({ token: stolen }, {}), 403);
  expect(answer.json().code).toBe("step_up_required");
  await expectStatus(call(testApp, routes.auth.user, { token: owner.token }), 200);
  const recent = await openSession(testApp, owner, "code");
  await expectStatus(change({ token: recent }, {}), 200);
});

test("ends every session on every replica at once, this one too", async () => {
  const user = await createUser(testApp);
  const other = await logIn(testApp, user.email);
  const bystander = await createUser(testApp);
  await expectStatus(call(replica, routes.auth.user, { token: other.token }), 200);
  const answer = await expectStatus(change(user, {}), 200);
  expect(answer.json().message).toBe("Password updated successfully");
  for (const app of [testApp, replica]) {
    for (const { token } of [user, other]) {
      await expectStatus(call(app, routes.auth.user, { token }), 401);
    }
  }
  await expectStatus(call(testApp, routes.auth.user, { token: bystander.token }), 200);
  await expectStatus(login(user.email, testPassword), 422);
  await expectStatus(login(user.email, password), 200);
  await until(async () =>
    (await mailsTo(testApp, user.email)).some(({ subject }) =>
      subject.includes("password was changed"),
    ),
  );
});

describe("API keys", () => {
  /** The profile's key and a named one. */
  async function userWithKeys() {
    const user = await createUser(testApp);
    const { token } = user;
    const made = await expectStatus(call(testApp, routes.account.regenerateApiKey, { token }), 200);
    const keys = [String(made.json().api_key), await createApiKey(testApp, user, "read")];
    return { user, keys };
  }
  const statusesOf = async (keys: readonly string[]) => {
    const answers = keys.map((token) => call(replica, routes.auth.user, { token }));
    return (await Promise.all(answers)).map(({ statusCode }) => statusCode);
  };
  const noticeTo = (email: string) =>
    until(async () =>
      (await mailsTo(testApp, email)).find(({ subject }) => /password was/.test(subject)),
    );

  test("are revoked on every replica, and the mail says so", async () => {
    const { user, keys } = await userWithKeys();
    expect(await statusesOf(keys)).toEqual([200, 200]);
    await expectStatus(change(user, {}), 200);
    expect(await statusesOf(keys)).toEqual([401, 401]);
    expect((await noticeTo(user.email)).text_body).toContain("every API key was revoked");
    const token = String((await login(user.email, password)).json().access_token);
    await expectStatus(call(testApp, routes.account.revealApiKey, { token }), 404);
  });

  test("keep working when the owner says so, and the mail says so", async () => {
    const { user, keys } = await userWithKeys();
    await expectStatus(change(user, { keep_api_keys: true }), 200);
    expect(await statusesOf(keys)).toEqual([200, 200]);
    expect((await noticeTo(user.email)).text_body).toContain("Your API keys keep working");
  });

  test("belong to one account: those of others keep working, and an account without keys reads nothing about them", async () => {
    const bystander = await userWithKeys();
    const user = await createUser(testApp);
    await expectStatus(change(user, {}), 200);
    expect(await statusesOf(bystander.keys)).toEqual([200, 200]);
    expect((await noticeTo(user.email)).text_body).not.toContain("API key");
  });
});

test("no login that knew only the old password survives a change beside it", async () => {
  const user = await createUser(testApp);
  const [changed, ...logins] = await Promise.all([
    change(user, {}),
    ...Array.from({ length: 4 }, (_, index) =>
      login(user.email, testPassword, index % 2 ? testApp : replica),
    ),
  ]);
  expect(changed.statusCode).toBe(200);
  for (const answer of logins.filter(({ statusCode }) => statusCode === 200)) {
    const token = String(answer.json().access_token);
    await expectStatus(call(testApp, routes.auth.user, { token }), 401);
  }
});

test("one is too late when two changes at once start from the same password", async () => {
  const user = await createUser(testApp);
  const answers = await Promise.all([
    change(user, {}),
    change(user, {
      password: "third battery staple",
      password_confirmation: "third battery staple",
    }),
  ]);
  const statuses = answers.map((answer) => answer.statusCode);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  const won = statuses[0] === 200 ? password : "third battery staple";
  await expectStatus(login(user.email, won), 200);
});

describe("refused", () => {
  test("a wrong current password is 422, says which field, and ends nothing", async () => {
    const user = await createUser(testApp);
    const answer = await change(user, { current_password: "wrong" });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      code: "invalid_credentials",
      message: "The current password is wrong",
      issues: [{ path: "current_password" }],
    });
    await expectStatus(call(testApp, routes.auth.user, { token: user.token }), 200);
  });

  test("guessing it is counted by user, wherever the session is", async () => {
    const user = await createUser(testApp);
    const statuses: number[] = [];
    for (let guess = 0; guess < 21; guess += 1) {
      statuses.push((await change(user, { current_password: `guess ${guess}` })).statusCode);
    }
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 422));
    expect(statuses[20]).toBe(429);
  });

  test("guessing it is counted by day as well, together with stepping up", async () => {
    const user = await createUser(testApp);
    const stepUp = () =>
      call(testApp, routes.twoFactor.stepUp, {
        token: user.token,
        body: { current_password: "guess" },
      });
    const wrong = () => change(user, { current_password: "guess" });
    // Tells its day from that of every other count here.
    testApp.clock.advance(1_000);
    for (const guess of [wrong, stepUp]) await expectStatus(guess(), 422);
    const dayEnd = new Date(testApp.clock.now().getTime() + 86_400_000);
    // As if there had been 50 of both over the hours.
    const { numUpdatedRows } = await testApp.platform.db
      .updateTable("rate_limits")
      .set({ hits: 50 })
      .where("expires_at", "=", dayEnd)
      .where("hits", "=", 2)
      .executeTakeFirst();
    expect(numUpdatedRows).toBe(1n);
    testApp.clock.advance(600_000);
    for (const guess of [wrong, stepUp]) {
      const refused = await expectStatus(guess(), 429);
      expect(refused.json().retry_after).toBeGreaterThan(80_000);
    }
  });

  test.each([
    [{ current_password: "" }, "current_password", "Required", "Обязательное поле"],
    [{ password: "12345678" }, "password", "Too short", "Слишком коротко"],
    [
      { password_confirmation: "x" },
      "password_confirmation",
      "Passwords must match",
      "Пароли должны совпадать",
    ],
    [
      { password: "password1", password_confirmation: "password1" },
      "password",
      "This password is too common. Choose another one",
      "Этот пароль слишком распространён. Выберите другой",
    ],
  ])("%j", async (body, path, english, russian) => {
    const user = await createUser(testApp);
    for (const [language, text] of [
      ["en", english],
      ["ru", russian],
    ] as const) {
      const answer = await change(user, body, language);
      expect(answer.statusCode).toBe(422);
      const issues: { path: string; message: string }[] = answer.json().issues;
      expect(issues.find((issue) => issue.path === path)?.message).toBe(text);
    }
  });
});
