import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "#src/platform/ids.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  authenticatorCode,
  createTwoFactorUser,
  setUpTwoFactor,
  withTwoFactor,
  type TwoFactorUser,
} from "#src/test-support/test-two-factor.ts";
import {
  call,
  createUser,
  expectStatus,
  mailsTo,
  newestCode,
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

const { twoFactor } = routes;
const stepMs = 30_000;
const minuteMs = 60_000;
const backup = (user: TwoFactorUser, index: number): string => user.backupCodes[index] ?? "";

let serial = 0;
const freshIp = (): string => `10.3.${Math.floor(serial / 250)}.${(serial++ % 250) + 1}`;

function login(user: TestUser, code?: string, app = testApp, password = testPassword) {
  return call(app, routes.auth.login, {
    ip: freshIp(),
    body: { email: user.email, password, two_factor_code: code },
  });
}

const codeOf = (user: TwoFactorUser, steps = 0): string =>
  authenticatorCode(testApp, user.secret, steps);

/** Six digits that are none of those which would be taken now. */
function wrongCode(user: TwoFactorUser): string {
  const right = new Set([-1, 0, 1].map((steps) => codeOf(user, steps)));
  return ["000000", "111111", "222222", "333333"].find((code) => !right.has(code)) ?? "";
}

/** Its next code has not been used. */
async function freshUser(): Promise<TwoFactorUser> {
  const user = await createTwoFactorUser(testApp);
  testApp.clock.advance(stepMs);
  return user;
}

const disable = (user: TestUser, code: string) =>
  call(testApp, twoFactor.disableTwoFactor, { token: user.token, body: { code } });
const enable = (user: TestUser, code: string) =>
  call(testApp, twoFactor.enableTwoFactor, { token: user.token, body: { code } });
const stepUp = (token: string, body: Record<string, string>) =>
  call(testApp, twoFactor.stepUp, { token, body });
const readCodes = async (token: string) =>
  (await expectStatus(call(testApp, twoFactor.getBackupCodes, { token }), 200)).json();

describe("setting two-factor up", () => {
  test("gives a secret, its otpauth address and that as a QR code, and nothing is on yet", async () => {
    const user = await createUser(testApp, "setup+2fa@example.com");
    const answer = await expectStatus(
      call(testApp, twoFactor.setUpTwoFactor, { token: user.token }),
      200,
    );
    const { secret, qr_code, otpauth_url } = twoFactor.setUpTwoFactor.response.parse(answer.json());
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const url = new URL(otpauth_url);
    expect(url.href).toMatch(/^otpauth:\/\/totp\/Palisade:setup/);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      issuer: "Palisade",
      secret,
      algorithm: "SHA1",
      digits: "6",
      period: "30",
    });
    expect(
      Buffer.from(qr_code.replace("data:image/png;base64,", ""), "base64").subarray(1, 4),
    ).toEqual(Buffer.from("PNG"));
    expect((await login(user)).json().requires_two_factor).toBe(false);
  });

  test("a wrong code, or one of the secret before, switches nothing on", async () => {
    const user = await createUser(testApp);
    expect((await enable(user, "123456")).json()).toMatchObject({ status: 409 });
    const first = await setUpTwoFactor(testApp, user);
    const second = await setUpTwoFactor(testApp, user);
    const old = await enable(user, authenticatorCode(testApp, first));
    expect([old.statusCode, old.json().code]).toEqual([422, "invalid_code"]);
    await expectStatus(enable(user, authenticatorCode(testApp, second)), 200);
  });

  test("once it is on there is no other secret until it is off", async () => {
    const user = await freshUser();
    for (const answer of [
      await call(testApp, twoFactor.setUpTwoFactor, { token: user.token }),
      await enable(user, codeOf(user)),
    ]) {
      expect([answer.statusCode, answer.json().code]).toEqual([409, "conflict"]);
    }
  });

  test("switching it on and off is told by mail and by the current user", async () => {
    const user = await freshUser();
    const current = async () =>
      (await call(testApp, routes.auth.user, { token: user.token })).json().user;
    expect((await current()).two_factor_enabled).toBe(true);
    await expectStatus(disable(user, codeOf(user)), 200);
    expect((await current()).two_factor_enabled).toBe(false);
    const mails = await until(async () => {
      const all = await mailsTo(testApp, user.email);
      return all.length === 2 ? all : undefined;
    });
    expect(mails.map((mail) => mail.subject)).toEqual([
      "Two-factor authentication is on",
      "Two-factor authentication is off",
    ]);
    expect((await login(user)).json()).toHaveProperty("access_token");
    expect((await disable(user, "123456")).statusCode).toBe(409);
  });

  test("of two that switch it on at once one gets codes", async () => {
    const user = await createUser(testApp);
    const code = authenticatorCode(testApp, await setUpTwoFactor(testApp, user));
    const answers = await Promise.all([enable(user, code), enable(user, code)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 409,
    ]);
  });
});

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

  test("a code works once, also in two processes at once (fault 23)", async () => {
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
    // Nor does an older one that nobody used.
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
  ])("a clock that is %i steps off is answered %i (fault 24)", async (steps, status) => {
    const user = await createTwoFactorUser(testApp);
    testApp.clock.advance(10 * stepMs);
    expect((await login(user, codeOf(user, steps))).statusCode).toBe(status);
  });

  test("a backup code works once, also in two processes at once (fault 25)", async () => {
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

describe("guessing codes (fault 26)", () => {
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
    await expectStatus(stepUp(user.token, { code: codeOf(user) }), 200);
    await expectStatus(disable(user, backup(user, 0)), 200);
    await expectStatus(login(user), 200);
  });

  test("of 100 at once over two processes at most five are evaluated", async () => {
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

    const password = "nobody else knows";
    await resetPassword(user, password, 1);
    await expectStatus(login(user, codeOf(user), testApp, password), 200);
  });

  test("once a day: whoever holds the mailbox gets no thirty more by each reset", async () => {
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

describe("backup codes", () => {
  test("are ten of eight characters, to be read for ten minutes and counted afterwards", async () => {
    const user = await createTwoFactorUser(testApp);
    expect(user.backupCodes).toHaveLength(10);
    for (const code of user.backupCodes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
    const madeAt = testApp.clock.now().toISOString();
    await expectStatus(login(user, backup(user, 0)), 200);
    testApp.clock.advance(10 * minuteMs - 1);
    expect(await readCodes(user.token)).toEqual({
      backup_codes: user.backupCodes.slice(1),
      left: 9,
      made_at: madeAt,
    });
    testApp.clock.advance(1);
    expect(await readCodes(user.token)).toEqual({ backup_codes: [], left: 9, made_at: madeAt });
  });

  test("are not shown to a session that has not proven itself lately", async () => {
    const user = await createUser(testApp);
    const stolen = await openSession(testApp, user);
    testApp.clock.advance(11 * minuteMs);
    await expectStatus(stepUp(user.token, { current_password: testPassword }), 200);
    await withTwoFactor(testApp, user);
    expect((await readCodes(stolen)).backup_codes).toEqual([]);
    expect((await readCodes(user.token)).backup_codes).toHaveLength(10);
  });

  test("made anew replace the ones before", async () => {
    const user = await freshUser();
    const regenerate = (code: string) =>
      call(testApp, twoFactor.regenerateBackupCodes, { token: user.token, body: { code } });
    expect((await regenerate(wrongCode(user))).json().code).toBe("invalid_code");
    const answer = await expectStatus(regenerate(codeOf(user)), 200);
    const { backup_codes } = twoFactor.regenerateBackupCodes.response.parse(answer.json());
    const mail = await until(async () =>
      (await mailsTo(testApp, user.email)).find(
        ({ subject }) => subject === "New backup codes were made",
      ),
    );
    expect(mail.text_body).toMatch(/^Device: .+\nIP address: 127\.0\.0\.1\nTime: .+ UTC$/m);
    for (const code of backup_codes) expect(mail.text_body).not.toContain(code);
    expect(await readCodes(user.token)).toMatchObject({ backup_codes, left: 10 });
    expect((await login(user, backup(user, 0))).statusCode).toBe(422);
    await expectStatus(login(user, backup_codes[0]), 200);
  });

  test("and the secret are in no table, log or audit row as they are", async () => {
    const lines: string[] = [];
    const logged = await createTestApp({ sharing: testApp, onLog: (line) => lines.push(line) });
    try {
      const user = await withTwoFactor(logged, await createUser(testApp));
      await expectStatus(login(user, backup(user, 0), logged), 200);
      const { db } = testApp.platform;
      const rows = JSON.stringify([
        await db.selectFrom("two_factor").selectAll().execute(),
        await db.selectFrom("backup_codes").selectAll().execute(),
        await db.selectFrom("audit_log").selectAll().execute(),
      ]);
      for (const secret of [user.secret, ...user.backupCodes]) {
        expect(rows).not.toContain(secret);
        expect(lines.join("\n")).not.toContain(secret);
      }
      expect(lines.length).toBeGreaterThan(0);
    } finally {
      await logged.close();
    }
  });
});

describe("staff", () => {
  async function grantStaff(user: TestUser): Promise<void> {
    await testApp.platform.db
      .updateTable("users")
      .set({ role: "staff" })
      .where("id", "=", user.id)
      .execute();
  }
  const staffCall = (user: TestUser) =>
    call(testApp, routes.staffEdges.listEdges, { token: user.token });

  test("may do what staff may only with two-factor on, and are told so", async () => {
    const user = await createUser(testApp);
    await grantStaff(user);
    const answer = await staffCall(user);
    expect([answer.statusCode, answer.json().code]).toEqual([403, "two_factor_required"]);
    const current = await call(testApp, routes.auth.user, { token: user.token });
    expect(current.json().user).toMatchObject({ role: "staff", two_factor_required: true });

    await withTwoFactor(testApp, user);
    await expectStatus(staffCall(user), 200);
    const after = await call(testApp, routes.auth.user, { token: user.token });
    expect(after.json().user.two_factor_required).toBe(false);
  });

  test("have to prove themselves again for a change, not for looking", async () => {
    const user = await freshUser();
    await grantStaff(user);
    testApp.clock.advance(11 * 60_000);
    await expectStatus(staffCall(user), 200);
    const revoke = () =>
      call(testApp, routes.staffEdges.revokeEdge, {
        token: user.token,
        params: { edgeId: newId() },
      });
    const refused = await revoke();
    expect([refused.statusCode, refused.json().code]).toEqual([403, "step_up_required"]);
    const body = { code: codeOf(user) };
    await expectStatus(call(testApp, routes.twoFactor.stepUp, { token: user.token, body }), 200);
    await expectStatus(revoke(), 404);
  });

  test("cannot switch it off", async () => {
    const user = await freshUser();
    await grantStaff(user);
    const answer = await disable(user, codeOf(user));
    expect([answer.statusCode, answer.json().code]).toEqual([403, "forbidden"]);
    await expectStatus(staffCall(user), 200);
  });
});
