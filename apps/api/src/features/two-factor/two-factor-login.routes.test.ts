import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createTwoFactorUser, type TwoFactorUser } from "#src/test-support/test-two-factor.ts";
import {
  call,
  expectStatus,
  newestCode,
  testPassword,
  type TestUser,
  steppedUp,
} from "#src/test-support/test-users.ts";
import { backup, freshIp, stepMs, twoFactorCalls } from "#src/test-support/two-factor-calls.ts";

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

const minuteMs = 60_000;
const { codeOf, disable, freshUser, login, readCodes, wrongCode } = twoFactorCalls(() => testApp);

describe("logging in with two-factor", () => {
  test("a code is asked for after the right password only, and no token is given", async () => {
    const user = await freshUser();
    const wrong = await login(user, codeOf(user), testApp, "not the password");
    expect([wrong.statusCode, wrong.json().code]).toEqual([422, "invalid_credentials"]);
    expect((await expectStatus(login(user), 200)).json()).toEqual({
      requires_two_factor: true,
      requires_2fa: true,
      message: expect.any(String),
    });
    const guess = await login(user, wrongCode(user));
    expect([guess.statusCode, guess.json().code]).toEqual([422, "invalid_code"]);
    expect((await login(user, codeOf(user))).json()).toHaveProperty("access_token");
  });

  test("a code works once, also in two processes at once", async () => {
    const user = await createTwoFactorUser(testApp);
    // The code that switched it on is used up as well.
    expect((await login(user, codeOf(user))).statusCode).toBe(422);
    testApp.clock.advance(stepMs);
    const code = codeOf(user);
    const answers = await Promise.all([login(user, code), login(user, code, replica)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 422,
    ]);
    expect((await login(user, code)).statusCode).toBe(422);
    // An older code that was never used does not work either.
    expect((await login(user, codeOf(user, -1))).statusCode).toBe(422);
  });

  test.each([
    [-3, 422],
    [-2, 422],
    [-1, 200],
    [0, 200],
    [1, 200],
    [2, 422],
    [3, 422],
  ])("a clock that is %i steps off is answered %i", async (steps, status) => {
    const user = await createTwoFactorUser(testApp);
    testApp.clock.advance(10 * stepMs);
    expect((await login(user, codeOf(user, steps))).statusCode).toBe(status);
  });

  test("a backup code works once, also in two processes at once", async () => {
    const user = await freshUser();
    const typed = backup(user, 0).toLowerCase();
    const answers = await Promise.all([login(user, typed), login(user, typed, replica)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 422,
    ]);
    expect((await login(user, typed)).json().code).toBe("invalid_code");
    expect((await readCodes(user.token)).left).toBe(9);
    await expectStatus(login(user, backup(user, 1)), 200);
  });

  test("a code of one account is none of another", async () => {
    const [user, other] = [await freshUser(), await freshUser()];
    expect((await login(user, backup(other, 0))).statusCode).toBe(422);
    expect((await login(user, codeOf(other))).statusCode).toBe(422);
  });
});

describe("guessing codes", () => {
  async function useGuessesUp(user: TwoFactorUser): Promise<void> {
    for (let guess = 0; guess < 5; guess += 1) {
      expect((await login(user, wrongCode(user))).statusCode).toBe(422);
    }
  }

  /** As if it had been guessed at as often as it may be in a day. */
  async function spendDay(user: TwoFactorUser, password = testPassword): Promise<void> {
    expect((await login(user, wrongCode(user), testApp, password)).statusCode).toBe(422);
    const ofUser = testApp.platform.db.updateTable("two_factor_guesses");
    await ofUser.set({ day_guesses: 30 }).where("user_id", "=", user.id).execute();
    testApp.clock.advance(15 * minuteMs);
  }

  /** By the code of the newest of so many mails with one. */
  async function resetPassword({ email }: TestUser, password: string, mails: number) {
    await expectStatus(
      call(testApp, routes.passwordReset.forgotPassword, { ip: freshIp(), body: { email } }),
      200,
    );
    const code = await newestCode(testApp, email, mails);
    await expectStatus(
      call(testApp, routes.passwordReset.resetPassword, {
        ip: freshIp(),
        body: { email, code, password, password_confirmation: password },
      }),
      200,
    );
  }

  test("after five the account's logins wait ten minutes, whatever the address", async () => {
    const user = await freshUser();
    await useGuessesUp(user);
    const throttled = await login(user, codeOf(user));
    expect(throttled.statusCode).toBe(429);
    expect(throttled.json()).toMatchObject({ code: "rate_limited", retry_after: 600 });
    expect(throttled.json().message).toContain("Too many wrong codes");
    expect((await login(user, backup(user, 0))).statusCode).toBe(429);
    testApp.clock.advance(10 * minuteMs);
    await expectStatus(login(user, codeOf(user)), 200);
  });

  test("live sessions survive it, and can still prove themselves by a code", async () => {
    const user = await freshUser();
    await useGuessesUp(user);
    expect((await login(user, codeOf(user))).statusCode).toBe(429);
    await expectStatus(call(testApp, routes.auth.user, { token: user.token }), 200);
    const token = await steppedUp(testApp, user, { code: codeOf(user) });
    await expectStatus(disable({ ...user, token }, backup(user, 0)), 200);
    await expectStatus(login(user), 200);
  });

  test("at most five are evaluated when 100 come at once over two processes", async () => {
    const user = await freshUser();
    const wrong = wrongCode(user);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        login(user, wrong, index % 2 === 0 ? testApp : replica),
      ),
    );
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 422)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(95);
    const throttled = answers.filter((answer) => answer.body.includes("Too many wrong codes"));
    expect(throttled).toHaveLength(95);
  });

  test("right codes are no guesses", async () => {
    const user = await freshUser();
    for (let index = 0; index < 8; index += 1) {
      await expectStatus(login(user, backup(user, index)), 200);
    }
  });

  test("thirty a day, and a new password, which the guesser does not know, ends the wait", async () => {
    const user = await freshUser();
    for (let round = 0; round < 6; round += 1) {
      await useGuessesUp(user);
      testApp.clock.advance(15 * minuteMs);
    }
    const throttled = await login(user, codeOf(user));
    expect(throttled.statusCode).toBe(429);
    expect(throttled.json().retry_after).toBeGreaterThan(20 * 3600);

    const password = "a new and secret one";
    await resetPassword(user, password, 1);
    await expectStatus(login(user, codeOf(user), testApp, password), 200);
  });

  test("at most once a day: a thief of the mailbox gets no thirty more guesses by each reset", async () => {
    const user = await freshUser();
    const [first, second, third] = ["first new one", "second new one", "third new one"] as const;
    await spendDay(user);
    await resetPassword(user, first, 1);
    await spendDay(user, first);
    await resetPassword(user, second, 2);
    expect((await login(user, codeOf(user), testApp, second)).statusCode).toBe(429);

    testApp.clock.advance(24 * 60 * minuteMs);
    await spendDay(user, second);
    await resetPassword(user, third, 3);
    await expectStatus(login(user, codeOf(user), testApp, third), 200);
  });
});
