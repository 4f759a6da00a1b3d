import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  call,
  createUser,
  expectStatus,
  newestCode,
  testPassword,
} from "#src/test-support/test-users.ts";
import { deleteUnconfirmedUsers } from "./auth.repository.ts";

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp?.close());

let serial = 0;
const freshIp = (): string => `10.1.${Math.floor(serial / 250)}.${(serial++ % 250) + 1}`;

function registration(email: string, password = testPassword) {
  return {
    email,
    password,
    password_confirmation: password,
    accept_privacy_policy: true,
  };
}

function register(email: string, password = testPassword) {
  return call(testApp, routes.auth.register, {
    ip: freshIp(),
    body: registration(email, password),
  });
}

function confirm(body: { code: string; email?: string }, headers: Record<string, string> = {}) {
  return call(testApp, routes.auth.verifyEmailCode, { ip: freshIp(), body, headers });
}

function login(email: string, password = testPassword) {
  return call(testApp, routes.auth.login, { ip: freshIp(), body: { email, password } });
}

const wrongCode = (code: string): string => (code.startsWith("0") ? "1" : "0") + code.slice(1);

describe("accounts", () => {
  test("register, confirm, log in, current user, log out", async () => {
    const user = await createUser(testApp, "Ann@Example.com");
    const current = await call(testApp, routes.auth.user, { token: user.token });
    expect(current.json()).toEqual({
      user: {
        id: user.id,
        email: "Ann@Example.com",
        role: "customer",
        staff_roles: [],
        balance: "0.00",
        balance_cents: 0,
        two_factor_enabled: false,
        two_factor_required: false,
        current_subscription_plan: {
          name: "Free",
          plan_id: null,
          support_plan_id: expect.any(String),
        },
        created_at: testApp.clock.now().toISOString(),
      },
    });
    const left = await expectStatus(call(testApp, routes.auth.logout, { token: user.token }), 200);
    expect(left.headers["clear-site-data"]).toBe('"storage"');
    expect(left.cookies).toEqual([]);
    const after = await call(testApp, routes.auth.user, { token: user.token });
    expect(after.statusCode).toBe(401);
    expect(after.json().code).toBe("unauthenticated");
  });

  test("accepting the privacy policy is recorded with time and version", async () => {
    const user = await createUser(testApp, "policy@example.com");
    const row = await testApp.platform.db
      .selectFrom("users")
      .select(["privacy_accepted_at", "privacy_version"])
      .where("id", "=", user.id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({
      privacy_accepted_at: testApp.clock.now(),
      privacy_version: expect.stringMatching(/^\d{4}-\d{2}$/),
    });
  });

  test("a common password is refused beside its field, in the caller's language", async () => {
    const answer = await call(testApp, routes.auth.register, {
      ip: freshIp(),
      body: registration("common@example.com", "Qwertyuiop123"),
      headers: { "accept-language": "ru-RU,ru;q=0.9" },
    });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().issues).toEqual([
      {
        path: "password",
        code: "password.common",
        message: "Этот пароль слишком распространён. Выберите другой",
      },
    ]);
  });
});

describe("unconfirmed e-mail", () => {
  test("only the right password learns that the e-mail is not confirmed", async () => {
    await expectStatus(register("unverified@example.com"), 201);
    const wrong = await login("unverified@example.com", "not the password");
    expect([wrong.statusCode, wrong.json().code]).toEqual([422, "invalid_credentials"]);
    const right = await login("unverified@example.com");
    expect([right.statusCode, right.json().code]).toEqual([403, "email_unverified"]);
    expect(right.json().message).toContain("verify your email");
  });

  test("a code is read in any case, with look-alikes for what is not in its alphabet", async () => {
    const email = "lookalike@example.com";
    await expectStatus(register(email), 201);
    const code = await newestCode(testApp, email);
    const typed = code.toLowerCase().replaceAll("0", "o").replaceAll("1", "l");
    await expectStatus(confirm({ email, code: ` ${typed} ` }), 200);
  });

  test("a code works once and for ten minutes", async () => {
    const email = "late@example.com";
    await expectStatus(register(email), 201);
    const code = await newestCode(testApp, email);
    testApp.clock.advance(600_001);
    expect((await confirm({ email, code })).json().code).toBe("invalid_code");

    await expectStatus(register(email), 201);
    const fresh = await newestCode(testApp, email, 2);
    await expectStatus(confirm({ email, code: fresh }), 200);
    expect((await confirm({ email, code: fresh })).json().code).toBe("invalid_code");
  });

  test("an account is removed after a week, but not while it waits for a code", async () => {
    const emails = ["waiting@example.com", "given-up@example.com"] as const;
    for (const email of emails) await expectStatus(register(email), 201);
    testApp.clock.advance(8 * 86_400_000);
    const [waiting] = emails;
    await expectStatus(register(waiting), 201);
    const code = await newestCode(testApp, waiting, 2);
    const { db } = testApp.platform;
    const now = testApp.clock.now();
    await deleteUnconfirmedUsers(db, new Date(now.getTime() - 7 * 86_400_000), now);
    const left = db.selectFrom("users").select("email").where("email", "in", emails).execute();
    expect(await left).toEqual([{ email: waiting }]);
    await expectStatus(confirm({ email: waiting, code }), 200);
  });

  test("five wrong guesses void a code, whatever address they come from", async () => {
    const email = "guessed@example.com";
    await expectStatus(register(email), 201);
    const code = await newestCode(testApp, email);
    for (let guess = 0; guess < 5; guess += 1) {
      expect((await confirm({ email, code: wrongCode(code) })).statusCode).toBe(422);
    }
    const right = await confirm({ email, code });
    expect([right.statusCode, right.json().code]).toEqual([422, "invalid_code"]);
  });

  test("at most five guesses are evaluated when 100 come at once", async () => {
    const email = "parallel@example.com";
    await expectStatus(register(email), 201);
    const code = await newestCode(testApp, email);
    const replica = await createTestApp({ sharing: testApp });
    try {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          call(index % 2 === 0 ? testApp : replica, routes.auth.verifyEmailCode, {
            ip: freshIp(),
            body: { email, code: wrongCode(code) },
          }),
        ),
      );
      // On a busy machine some wait too long for the row: 503.
      const others = answers.filter(({ statusCode }) => ![422, 503].includes(statusCode));
      expect(others.map(({ body }) => body)).toEqual([]);
    } finally {
      await replica.close();
    }
    const row = await testApp.platform.db
      .selectFrom("email_confirmations")
      .select("tries")
      .where("email_key", "=", email)
      .executeTakeFirstOrThrow();
    expect(row.tries).toBe(5);
    expect((await confirm({ email, code })).statusCode).toBe(422);
  });

  test("two right codes at once confirm once", async () => {
    const email = "twice@example.com";
    await expectStatus(register(email), 201);
    const code = await newestCode(testApp, email);
    const answers = await Promise.all([confirm({ email, code }), confirm({ email, code })]);
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 422,
    ]);
  });

  test("a stranger who registers the same address in the meantime does not get the account", async () => {
    const email = "victim@example.com";
    const own = await expectStatus(register(email, "the victim's password"), 201);
    const code = await newestCode(testApp, email);
    await expectStatus(register(email, "the attacker's password"), 201);
    await newestCode(testApp, email, 2);

    // As the console does: the e-mail in the body, the cookie by the browser, no header.
    const { cookie } = cookieHeaders(own.cookies);
    await expectStatus(confirm({ email, code }, { cookie }), 200);

    expect((await login(email, "the attacker's password")).statusCode).toBe(422);
    expect((await login(email, "the victim's password")).statusCode).toBe(200);
  });
});

describe("an address that two browsers register", () => {
  test("the newest code, requested by another person, does not bring in that person's password", async () => {
    const email = "besieged@example.com";
    const own = await expectStatus(register(email, "the victim's password"), 201);
    await newestCode(testApp, email);
    await expectStatus(register(email, "the attacker's password"), 201);
    await newestCode(testApp, email, 2);
    const resend = (headers: Record<string, string>) =>
      call(testApp, routes.auth.resendVerificationCode, {
        ip: freshIp(),
        body: { email },
        headers,
      });
    await expectStatus(resend({}), 200);
    const foreign = await newestCode(testApp, email, 3);

    const { cookie } = cookieHeaders(own.cookies);
    expect((await confirm({ email, code: foreign }, { cookie })).statusCode).toBe(422);
    expect((await login(email, "the attacker's password")).json().code).toBe("email_unverified");

    // The victim's own request for a code still works.
    testApp.clock.advance(120_000);
    const again = await expectStatus(resend({ cookie }), 200);
    const code = await newestCode(testApp, email, 4);
    await expectStatus(
      confirm({ email, code }, { cookie: cookieHeaders(again.cookies).cookie }),
      200,
    );
    expect((await login(email, "the attacker's password")).statusCode).toBe(422);
    expect((await login(email, "the victim's password")).statusCode).toBe(200);
  });
});

describe("a code without the cookie of its browser", () => {
  const resend = (email: string) =>
    call(testApp, routes.auth.resendVerificationCode, { ip: freshIp(), body: { email } });

  test("confirms nothing where a stranger registered the address with their own password", async () => {
    const email = "lured@example.com";
    await expectStatus(register(email, "the victim's password"), 201);
    await newestCode(testApp, email);
    await expectStatus(register(email, "the attacker's password"), 201);
    const foreign = await newestCode(testApp, email, 2);
    const answer = await confirm({ email, code: foreign });
    expect([answer.statusCode, answer.json().code]).toEqual([422, "invalid_code"]);
    expect(answer.json().message).toContain("in the browser you registered with");
    expect((await login(email, "the attacker's password")).json().code).toBe("email_unverified");
  });

  test("nor where the stranger's code is the only one that still works", async () => {
    const email = "lured-late@example.com";
    await expectStatus(register(email, "the victim's password"), 201);
    await newestCode(testApp, email);
    testApp.clock.advance(3_600_000);
    await expectStatus(register(email, "the attacker's password"), 201);
    const foreign = await newestCode(testApp, email, 2);
    expect((await confirm({ email, code: foreign })).statusCode).toBe(422);
  });

  test("nor where the cookie came with a code that was asked for, not with a registration", async () => {
    const email = "lured-again@example.com";
    await expectStatus(register(email, "the victim's password"), 201);
    await expectStatus(register(email, "the attacker's password"), 201);
    await newestCode(testApp, email, 2);
    const asked = await expectStatus(resend(email), 200);
    const code = await newestCode(testApp, email, 3);
    const { cookie } = cookieHeaders(asked.cookies);
    expect((await confirm({ email, code }, { cookie })).statusCode).toBe(422);

    // Registering here chooses the password here.
    const own = await expectStatus(register(email, "the victim's password"), 201);
    const ownCode = await newestCode(testApp, email, 4);
    await expectStatus(
      confirm({ email, code: ownCode }, { cookie: cookieHeaders(own.cookies).cookie }),
      200,
    );
    expect((await login(email, "the attacker's password")).statusCode).toBe(422);
    expect((await login(email, "the victim's password")).statusCode).toBe(200);
  });

  test("confirms where everybody who registered the address chose the same password", async () => {
    const email = "same@example.com";
    await expectStatus(register(email), 201);
    await expectStatus(register(email), 201);
    const code = await newestCode(testApp, email, 2);
    await expectStatus(confirm({ email, code }), 200);
    expect((await login(email)).statusCode).toBe(200);
  });
});

describe("pending registration", () => {
  test("without an e-mail the code belongs to the browser's cookie", async () => {
    const email = "cookie@example.com";
    const answer = await expectStatus(register(email), 201);
    const code = await newestCode(testApp, email);
    expect((await confirm({ code })).json().code).toBe("invalid_code");
    const confirmed = await expectStatus(confirm({ code }, cookieHeaders(answer.cookies)), 200);
    expect(confirmed.cookies).toContainEqual(
      expect.objectContaining({ name: "palisade_pending", value: "", maxAge: 0 }),
    );
  });

  test("the cookie counts for nothing without its anti-forgery header", async () => {
    const email = "forged@example.com";
    const answer = await expectStatus(register(email), 201);
    const code = await newestCode(testApp, email);
    const { cookie } = cookieHeaders(answer.cookies);
    const without = await confirm({ code }, { cookie });
    expect([without.statusCode, without.json().code]).toEqual([403, "forbidden"]);
    const wrong = await confirm({ code }, { cookie, "x-xsrf-token": "guess" });
    expect(wrong.statusCode).toBe(403);
  });

  test("the cookie is out of reach of scripts and other sites", async () => {
    const answer = await expectStatus(register("flags@example.com"), 201);
    const pending = answer.cookies.find((each) => each.name === "palisade_pending");
    expect(pending).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/" });
  });
});

describe("resending", () => {
  const resend = (email: string, headers: Record<string, string> = {}) =>
    call(testApp, routes.auth.resendVerificationCode, { ip: freshIp(), body: { email }, headers });

  test("a new code replaces the old one", async () => {
    const email = "resend@example.com";
    await expectStatus(register(email), 201);
    const old = await newestCode(testApp, email);
    await expectStatus(resend(email), 200);
    const code = await newestCode(testApp, email, 2);
    expect((await confirm({ email, code: old })).statusCode).toBe(422);
    await expectStatus(confirm({ email, code }), 200);
    expect((await login(email)).statusCode).toBe(200);
  });

  test("at most every 120 s and ten a day, and knocking does not use the day up", async () => {
    const email = "impatient@example.com";
    // Which mails the first of the ten.
    await expectStatus(register(email), 201);
    for (let sent = 1; sent < 10; sent += 1) {
      await expectStatus(resend(email), 200);
      const early = await resend(email);
      expect(early.statusCode).toBe(429);
      expect(early.json()).toMatchObject({ code: "rate_limited", retry_after: 120 });
      expect(early.headers["retry-after"]).toBe("120");
      expect(early.json().message).toBe("Please wait 2 minutes before resending the code.");
      testApp.clock.advance(120_000);
    }
    for (const send of [resend, register]) {
      const eleventh = await send(email);
      expect(eleventh.statusCode).toBe(429);
      expect(eleventh.json().retry_after).toBeGreaterThan(80_000);
    }
    testApp.clock.advance(86_400_000);
    await expectStatus(resend(email), 200);
  });
});

function cookieHeaders(cookies: readonly { name: string; value: string }[]) {
  const xsrf = cookies.find((cookie) => cookie.name === "XSRF-TOKEN");
  return {
    cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; "),
    "x-xsrf-token": xsrf?.value ?? "",
  };
}
