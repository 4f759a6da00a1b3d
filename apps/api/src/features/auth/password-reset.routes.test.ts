import { createHash } from "node:crypto";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addressChain, addressChainKeys } from "#src/platform/http/pipeline/audit-log.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { authenticatorCode, createTwoFactorUser } from "#src/test-support/test-two-factor.ts";
import {
  call,
  createApiKey,
  createUser,
  expectStatus,
  mailsTo,
  newestCode,
  openSession,
  testPassword,
} from "#src/test-support/test-users.ts";
import { hold, untilWaiting } from "#src/test-support/waiting.ts";

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

const newPassword = "staple battery horse";
let serial = 0;
const freshIp = (): string => `10.2.${Math.floor(serial / 250)}.${(serial++ % 250) + 1}`;
const wrongCode = (code: string): string => (code.startsWith("0") ? "1" : "0") + code.slice(1);

const forgot = (email: string) =>
  call(testApp, routes.passwordReset.forgotPassword, { ip: freshIp(), body: { email } });
const resend = (email: string) =>
  call(testApp, routes.passwordReset.resendResetCode, { ip: freshIp(), body: { email } });
const verify = (email: string, code: string, app = testApp) =>
  call(app, routes.passwordReset.verifyResetCode, { ip: freshIp(), body: { email, code } });
const reset = (email: string, code: string, app = testApp, password = newPassword) =>
  call(app, routes.passwordReset.resetPassword, {
    ip: freshIp(),
    body: { email, code, password, password_confirmation: password },
  });
const login = (email: string, password: string, two_factor_code?: string) =>
  call(testApp, routes.auth.login, { ip: freshIp(), body: { email, password, two_factor_code } });

/** The newest code; the one of the registration came before it. */
const resetCode = (email: string, resets = 1) => newestCode(testApp, email, resets);

const registration = (email: string) => ({
  email,
  password: testPassword,
  password_confirmation: testPassword,
  accept_privacy_policy: true,
});

async function userWithCode(): Promise<{ id: string; email: string; token: string; code: string }> {
  const user = await createUser(testApp);
  await expectStatus(forgot(user.email), 200);
  return { ...user, code: await resetCode(user.email) };
}

describe("password reset", () => {
  test("the code sets a new password, ends every session, revokes every API key and is told by mail", async () => {
    const { id, email, token, code } = await userWithCode();
    const other = await openSession(testApp, { id });
    const key = await createApiKey(testApp, { id, email, token }, "write");
    await expectStatus(verify(email, code), 200);
    await expectStatus(reset(email, code), 200);

    for (const each of [token, other, key]) {
      expect((await call(testApp, routes.auth.user, { token: each })).statusCode).toBe(401);
    }
    expect((await login(email, testPassword)).json().code).toBe("invalid_credentials");
    await expectStatus(login(email, newPassword), 200);
    const mails = await until(async () => {
      const all = await mailsTo(testApp, email);
      return all.length === 2 ? all : undefined;
    });
    expect(mails[1]?.subject).toBe("Your password was changed");
    expect(mails[1]?.text_body).toContain("every API key was revoked");
  });

  test("a code works once, for ten minutes, and until a newer one is sent", async () => {
    const first = await userWithCode();
    testApp.clock.advance(120_000);
    await expectStatus(resend(first.email), 200);
    const newer = await resetCode(first.email, 2);
    expect((await reset(first.email, first.code)).json().code).toBe("invalid_code");
    await expectStatus(reset(first.email, newer), 200);
    expect((await reset(first.email, newer)).json().code).toBe("invalid_code");

    const late = await userWithCode();
    testApp.clock.advance(600_001);
    expect((await verify(late.email, late.code)).json().code).toBe("invalid_code");
  });

  test("two right codes at once set one password", async () => {
    const { email, code } = await userWithCode();
    const answers = await Promise.all([reset(email, code), reset(email, code, replica)]);
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 422,
    ]);
  });

  test("a common password is refused beside its field and takes no try", async () => {
    const { email, code } = await userWithCode();
    for (let index = 0; index < 6; index += 1) {
      const answer = await reset(email, code, testApp, "Qwertyuiop123");
      expect(answer.json().issues).toMatchObject([{ path: "password", code: "password.common" }]);
    }
    await expectStatus(reset(email, code), 200);
  });

  test("a password made of the account's names is refused and takes no try; the user name needs the code", async () => {
    const { id, email, code } = await userWithCode();
    await testApp.platform.db
      .insertInto("profiles")
      .values({ user_id: id, username: "Zorblatt", username_key: "zorblatt" })
      .execute();
    const refusedWith = async (typedCode: string, password: string) =>
      (await reset(email, typedCode, testApp, password)).json().issues?.[0]?.code;
    for (let index = 0; index < 3; index += 1) {
      expect(await refusedWith(code, `${email.split("@")[0]}-2026`)).toBe("password.own_name");
      expect(await refusedWith(code, "zorblatt2026")).toBe("password.own_name");
    }
    expect(await refusedWith(wrongCode(code), "zorblatt2026")).toBeUndefined();
    await expectStatus(reset(email, code), 200);
  });

  test("never bypasses two-factor", async () => {
    const user = await createTwoFactorUser(testApp);
    await expectStatus(forgot(user.email), 200);
    await expectStatus(reset(user.email, await resetCode(user.email)), 200);
    const withoutCode = await expectStatus(login(user.email, newPassword), 200);
    expect(withoutCode.json()).toMatchObject({ requires_two_factor: true, requires_2fa: true });
    expect(withoutCode.json()).not.toHaveProperty("access_token");
    testApp.clock.advance(30_000);
    const code = authenticatorCode(testApp, user.secret);
    await expectStatus(login(user.email, newPassword, code), 200);
  });

  test("a login that was under way with the old password gets no session", async () => {
    const user = await createUser(testApp);
    const changing = await hold(testApp, (trx) =>
      trx.updateTable("users").set({ password_hash: "new" }).where("id", "=", user.id).execute(),
    );
    const underWay = login(user.email, testPassword);
    await untilWaiting(testApp, 1);
    await changing.release();
    expect((await underWay).json().code).toBe("invalid_credentials");
  });
});

describe("guessing a reset code", () => {
  test("five wrong guesses at either call void it, whatever their address", async () => {
    const { email, code } = await userWithCode();
    const wrong = wrongCode(code);
    for (const guess of [verify, reset, verify, reset, verify]) {
      expect((await guess(email, wrong)).json().code).toBe("invalid_code");
    }
    expect((await verify(email, code)).statusCode).toBe(422);
    expect((await reset(email, code)).statusCode).toBe(422);
    await expectStatus(login(email, testPassword), 200);
  });

  test("the right code is no guess: four wrong ones leave room for both steps", async () => {
    const { email, code } = await userWithCode();
    for (let guess = 0; guess < 4; guess += 1) await verify(email, wrongCode(code));
    await expectStatus(verify(email, code), 200);
    await expectStatus(verify(email, code), 200);
    await expectStatus(reset(email, code), 200);
  });

  test("at most five are evaluated when 100 come at once over two processes", async () => {
    const { email, code } = await userWithCode();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        (index % 3 === 0 ? reset : verify)(
          email,
          wrongCode(code),
          index % 2 === 0 ? testApp : replica,
        ),
      ),
    );
    // On a busy machine some wait too long for the row: 503.
    const others = answers.filter(({ statusCode }) => ![422, 503].includes(statusCode));
    expect(others.map(({ body }) => body)).toEqual([]);
    const row = await testApp.platform.db
      .selectFrom("password_resets")
      .select("tries")
      .where("email_key", "=", email)
      .executeTakeFirstOrThrow();
    expect(row.tries).toBe(5);
    expect((await reset(email, code)).statusCode).toBe(422);
  });
});

describe("sending reset codes", () => {
  test("strangers: at most every 120 s and five a day, by either call, with Retry-After", async () => {
    const { email } = await createUser(testApp);
    for (let sent = 0; sent < 5; sent += 1) {
      const [send, other] = sent % 2 === 0 ? [forgot, resend] : [resend, forgot];
      await expectStatus(send(email), 200);
      for (const early of [await send(email), await other(email)]) {
        expect(early.statusCode).toBe(429);
        expect(early.headers["retry-after"]).toBe("120");
      }
      testApp.clock.advance(120_000);
    }
    for (const send of [forgot, resend]) {
      const sixth = await send(email);
      expect(sixth.statusCode).toBe(429);
      expect(sixth.json().retry_after).toBeGreaterThan(80_000);
      testApp.clock.advance(120_000);
    }
    testApp.clock.advance(86_400_000);
    await expectStatus(resend(email), 200);
  });
});

describe("enumeration", () => {
  test("known, unconfirmed and unknown addresses are answered alike by every call", async () => {
    const known = await createUser(testApp);
    const emails = [known.email, "unconfirmed@example.com", "unknown@example.com"];
    await expectStatus(
      call(testApp, routes.auth.register, {
        ip: freshIp(),
        body: registration("unconfirmed@example.com"),
      }),
      201,
    );
    const guess = (send: typeof verify) => (email: string) => send(email, "ABCDEFGH");
    for (const send of [forgot, resend, guess(verify), guess(reset)]) {
      testApp.clock.advance(120_000);
      const [first, ...others] = await Promise.all(emails.map((email) => send(email)));
      for (const other of others) {
        expect(other.statusCode).toBe(first?.statusCode);
        expect({ ...other.json(), request_id: "" }).toEqual({ ...first?.json(), request_id: "" });
      }
    }
    await resetCode(known.email, 2);
    expect(await mailsTo(testApp, "unknown@example.com")).toEqual([]);
    expect(await mailsTo(testApp, "unconfirmed@example.com")).toHaveLength(1);
  });

  test.each([
    ["forgot password", routes.passwordReset.forgotPassword],
    ["resend reset code", routes.passwordReset.resendResetCode],
    ["resend verification code", routes.auth.resendVerificationCode],
    ["register", routes.auth.register],
  ])("%s waits for no record that an account has to itself or all share", async (_, route) => {
    const user = await createUser(testApp);
    const { audit } = testApp.platform;
    const busy = await hold(testApp, async (trx) => {
      await audit.lock(trx, "anonymous");
      await audit.lock(trx, `user:${user.id}`);
    });
    try {
      for (const email of [user.email, `unknown-${user.id}@example.com`]) {
        const body = route === routes.auth.register ? registration(email) : { email };
        const answer = await call(testApp, route, { ip: freshIp(), body });
        expect(answer.statusCode).toBe(route.success);
        const row = await testApp.platform.db
          .selectFrom("audit_log")
          .select("chain")
          .where("request_id", "=", String(answer.headers["x-request-id"]))
          .executeTakeFirst();
        const chain = addressChain(addressChainKeys(testApp.platform.config)[0], email);
        expect(row).toEqual({ chain });
        // Without a key, anyone could hash a guessed address and look for it.
        const unkeyed = createHash("sha256").update(email).digest("base64url");
        expect(chain).not.toBe(`address:${unkeyed}`);
      }
    } finally {
      await busy.release();
    }
  });
});

test("neither code nor password appears in logs, audit rows, the table or a waiting mail", async () => {
  const lines: string[] = [];
  const logged = await createTestApp({ sharing: testApp, onLog: (line) => lines.push(line) });
  try {
    const { email, code } = await userWithCode();
    await expectStatus(verify(email, code, logged), 200);
    await expectStatus(reset(email, code, logged, "canary of a password"), 200);
    const { db } = testApp.platform;
    const rows = [
      await db.selectFrom("audit_log").selectAll().execute(),
      await db.selectFrom("password_resets").selectAll().execute(),
      (await sql`select * from jobs.job where name = 'mail.send'`.execute(db)).rows,
    ];
    expect(rows.map(({ length }) => length > 0)).toEqual([true, true, true]);
    for (const place of [lines.join("\n"), JSON.stringify(rows)]) {
      expect(place).not.toContain(code);
      expect(place).not.toContain("canary of a password");
    }
    expect(lines.length).toBeGreaterThan(0);
  } finally {
    await logged.close();
  }
});
