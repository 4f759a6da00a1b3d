import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addPasskey, loginOptions } from "#src/test-support/test-authenticator.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createTwoFactorUser } from "#src/test-support/test-two-factor.ts";
import {
  call,
  createUser,
  expectStatus,
  mailsTo,
  openSession,
  newestCode,
  testPassword,
  type TestUser,
} from "#src/test-support/test-users.ts";
import { deleteNotSeenSince } from "./known-callers.repository.ts";

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp?.close());
// A new window of every limit.
beforeEach(() => testApp.clock.advance(2 * 86_400_000));

let serial = 0;
/** In a network where nothing else comes from. */
const freshIp = () => `10.${40 + Math.floor(serial / 250)}.${(serial++ % 250) + 1}.7`;

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

interface From {
  readonly ip?: string;
  readonly cookie?: string;
}
const given = ({ ip = freshIp(), cookie }: From) => ({
  ip,
  ...(cookie === undefined ? {} : { headers: { cookie } }),
});

const login = (email: string, password: string, from: From = {}) =>
  call(testApp, routes.auth.login, { ...given(from), body: { email, password } });
const wrongLogin = (email: string, from: From = {}) => login(email, "not the password", from);
const askCode = (email: string, from: From = {}) =>
  call(testApp, routes.passwordReset.forgotPassword, { ...given(from), body: { email } });
const verify = (email: string, code: string, from: From = {}) =>
  call(testApp, routes.passwordReset.verifyResetCode, { ...given(from), body: { email, code } });
const reset = (email: string, code: string, password: string, from: From = {}) =>
  call(testApp, routes.passwordReset.resetPassword, {
    ...given(from),
    body: { email, code, password, password_confirmation: password },
  });

/** A user who has logged in: the cookie of their device and their address. */
async function knownUser(): Promise<TestUser & Required<From>> {
  const user = await createUser(testApp);
  const ip = freshIp();
  const { cookies } = await expectStatus(login(user.email, testPassword, { ip }), 200);
  // The windows that this login began are over.
  testApp.clock.advance(7_200_000);
  return { ...user, ip, cookie: deviceCookieIn(cookies) };
}

function deviceCookieIn(cookies: readonly { name: string; value: string }[]): string {
  const device = cookies.find(({ name }) => name === "palisade_device");
  return `palisade_device=${device?.value}`;
}

/** As if many more calls had come in the windows that have just begun and last this long. */
async function useUp(windowSeconds: number): Promise<void> {
  const end = new Date(testApp.clock.now().getTime() + windowSeconds * 1000);
  const { numUpdatedRows } = await testApp.platform.db
    .updateTable("rate_limits")
    .set({ hits: 1_000 })
    .where("expires_at", "=", end)
    .executeTakeFirst();
  expect(numUpdatedRows).toBeGreaterThan(0n);
}

describe("a stranger who guesses passwords", () => {
  test("locks out strangers, but neither a known device nor a known network", async () => {
    const { email, ip, cookie } = await knownUser();
    expect((await wrongLogin(email)).statusCode).toBe(422);
    await useUp(3600);
    await expectStatus(wrongLogin(email), 429);
    await expectStatus(login(email, testPassword), 429);
    await expectStatus(login(email, testPassword, { cookie }), 200);
    await expectStatus(login(email, testPassword, { ip: ip.replace(/7$/, "99") }), 200);
  });

  test("behind the owner's own address locks out that address, but not the known device", async () => {
    const { email, ip, cookie } = await knownUser();
    expect((await wrongLogin("another@example.com", { ip })).statusCode).toBe(422);
    // The limit by address, and that by address and e-mail.
    await useUp(900);
    await expectStatus(login(email, testPassword, { ip }), 429);
    await expectStatus(login(email, testPassword, { ip, cookie }), 200);
  });

  test("cannot guess without end on a device that is known: it has a limit of its own", async () => {
    const { email, cookie } = await knownUser();
    const answers = await Promise.all(
      Array.from({ length: 22 }, () => wrongLogin(email, { cookie })),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(2);
  });

  test("is not known by an invented cookie, nor by the one of their own account", async () => {
    const { email, cookie } = await knownUser();
    const attacker = await knownUser();
    expect((await wrongLogin(email)).statusCode).toBe(422);
    await useUp(3600);
    const unsigned = `${cookie.slice(0, -4)}AAAA`;
    for (const each of [unsigned, attacker.cookie, "palisade_device=", "palisade_device=a.b"]) {
      await expectStatus(wrongLogin(email, { cookie: each }), 429);
    }
  });
});

test("a thief of the password who guesses second factors does not lock out the known device", async () => {
  const user = await createTwoFactorUser(testApp);
  const withCode = (code: string, from: From = {}) =>
    call(testApp, routes.auth.login, {
      ...given(from),
      body: { email: user.email, password: testPassword, two_factor_code: code },
    });
  const [first = "", second = ""] = user.backupCodes;
  const { cookies } = await expectStatus(withCode(first), 200);
  const cookie = deviceCookieIn(cookies);
  for (let guess = 0; guess < 5; guess += 1) await expectStatus(withCode("AAAAAAAA"), 422);
  await expectStatus(withCode(second), 429);
  await expectStatus(withCode(second, { cookie }), 200);
});

test.each(["a\0b@example.com", "\ud800@example.com", "x".repeat(5_000), 7, null, ["a@b.cd"]])(
  "an e-mail that is none (%j) is refused as that, before and after a login",
  async (email) => {
    for (const headers of [{}, { cookie: (await knownUser()).cookie }]) {
      const answer = await call(testApp, routes.auth.login, {
        ip: freshIp(),
        headers,
        body: { email, password: testPassword },
      });
      expect([answer.statusCode, answer.json().issues?.[0]?.path]).toEqual([422, "email"]);
    }
  },
);

test("a login that succeeds counts for no limit by e-mail", async () => {
  const { email } = await createUser(testApp);
  const ip = freshIp();
  for (let logins = 0; logins < 21; logins += 1) {
    await expectStatus(login(email, testPassword, { ip }), 200);
  }
});

describe("ten reset mails", () => {
  const resetMails = async (email: string) =>
    (await mailsTo(testApp, email)).filter(({ subject }) => subject.includes("reset code"));

  test("that a stranger asks for become five, and the owner still gets one that works", async () => {
    const owner = await knownUser();
    const { email, cookie } = owner;
    for (let asked = 0; asked < 10; asked += 1) {
      const answer = await askCode(email);
      expect(answer.statusCode).toBe(asked < 5 ? 200 : 429);
      testApp.clock.advance(120_000);
    }
    await until(async () => (await resetMails(email)).length === 5);
    await expectStatus(askCode(email, { cookie }), 200);
    const code = await newestCode(testApp, email, 6);

    for (let guess = 0; guess < 6; guess += 1) {
      expect((await verify(email, code.startsWith("0") ? "1AAAAAAA" : "0AAAAAAA")).statusCode).toBe(
        422,
      );
    }
    expect((await verify(email, code)).statusCode).toBe(422);
    await expectStatus(verify(email, code, { cookie }), 200);
    await expectStatus(reset(email, code, "staple battery horse", { cookie }), 200);
    expect(await resetMails(email)).toHaveLength(6);
  });

  test("and a later request of a stranger does not void the owner's code", async () => {
    const { email, ip, cookie } = await knownUser();
    const known = { device: { cookie }, network: { ip } };
    for (const from of [known.device, known.network]) {
      testApp.clock.advance(120_000);
      const before = (await resetMails(email)).length;
      await expectStatus(askCode(email, from), 200);
      const code = await newestCode(testApp, email, before + 1);
      await expectStatus(askCode(email), 200);
      await newestCode(testApp, email, before + 2);
      await expectStatus(verify(email, code, from), 200);
    }
  });

  test("the owner's code works in any browser", async () => {
    const { email, cookie } = await knownUser();
    await expectStatus(askCode(email, { cookie }), 200);
    await expectStatus(verify(email, await newestCode(testApp, email)), 200);
  });
});

describe("a login that the account does not know", () => {
  const notices = async (email: string) =>
    (await mailsTo(testApp, email)).filter(({ subject }) => /New login|Новый вход/.test(subject));

  test("is told to the owner, with time, device and address; the first one is not", async () => {
    const { email, ip, cookie } = await knownUser();
    await expectStatus(login(email, testPassword, { ip, cookie }), 200);
    expect(await notices(email)).toEqual([]);
    const other = freshIp();
    await expectStatus(login(email, testPassword, { ip: other, cookie }), 200);
    const [mail] = await until(async () => {
      const found = await notices(email);
      return found.length === 1 ? found : undefined;
    });
    for (const text of [other, "UTC", "Change your password at once", "/dashboard/profile"]) {
      expect(mail?.text_body).toContain(text);
    }
    await expectStatus(login(email, testPassword, { ip }), 200);
    await until(async () => (await notices(email)).length === 2);
  });

  test("is told of a login with a passkey alike", async () => {
    const user = await knownUser();
    const { authenticator } = await addPasskey(testApp, {
      token: await openSession(testApp, user),
    });
    const byPasskey = async (from: From) =>
      call(testApp, routes.passkeys.logInWithPasskey, {
        ...given(from),
        body: { credential: authenticator.get(await loginOptions(testApp)) },
      });
    await expectStatus(byPasskey({ ip: user.ip, cookie: user.cookie }), 200);
    expect(await notices(user.email)).toEqual([]);
    await expectStatus(byPasskey({}), 200);
    await until(async () => (await notices(user.email)).length === 1);
  });

  test("does not choose the language of the mail", async () => {
    const { email } = await knownUser();
    const answer = call(testApp, routes.auth.login, {
      ip: freshIp(),
      headers: { "accept-language": "ru", "user-agent": firefox },
      body: { email, password: testPassword },
    });
    await expectStatus(answer, 200);
    const mail = await until(async () => (await notices(email))[0]);
    expect(mail.subject).toBe("New login to your account");
    expect(mail.text_body).toContain("Firefox on Linux");
  });

  test("is told after a reset from elsewhere too: the mailbox may be in other hands", async () => {
    const { email } = await knownUser();
    await expectStatus(askCode(email), 200);
    const code = await newestCode(testApp, email);
    await expectStatus(reset(email, code, "staple battery horse"), 200);
    await expectStatus(login(email, "staple battery horse"), 200);
    await until(async () => (await notices(email)).length === 1);
  });
});

describe("an account's memory of devices and networks", () => {
  async function known({ id }: TestUser) {
    const { db } = testApp.platform;
    const of = (table: "known_devices" | "known_networks") =>
      db.selectFrom(table).selectAll().where("user_id", "=", id).execute();
    return { devices: await of("known_devices"), networks: await of("known_networks") };
  }

  test("is the hash of a cookie and a network, and no token", async () => {
    const owner = await knownUser();
    const { devices, networks } = await known(owner);
    expect([devices.length, networks.length]).toEqual([1, 1]);
    expect(networks[0]?.network).toBe(owner.ip.replace(/7$/, "0/24"));
    const token = owner.cookie.slice("palisade_device=".length).split(".")[0] ?? "";
    expect(token).not.toBe("");
    expect(JSON.stringify(devices)).not.toContain(token);
  });

  test("grows to 20 devices and networks, the newest", async () => {
    const owner = await knownUser();
    for (let logins = 0; logins < 20; logins += 1) {
      testApp.clock.advance(1_000);
      await expectStatus(login(owner.email, testPassword), 200);
    }
    const { devices, networks } = await known(owner);
    expect([devices.length, networks.length]).toEqual([20, 20]);
    expect(networks.map(({ network }) => network)).not.toContain(owner.ip.replace(/7$/, "0/24"));
  });

  test("is only the caller after a new password: the old one may have been another's", async () => {
    const owner = await knownUser();
    await expectStatus(login(owner.email, testPassword), 200);
    await expectStatus(askCode(owner.email, owner), 200);
    const code = await newestCode(testApp, owner.email);
    await expectStatus(reset(owner.email, code, "staple battery horse", owner), 200);
    const { devices, networks } = await known(owner);
    expect([devices.length, networks.length]).toEqual([1, 1]);
    expect(networks[0]?.network).toBe(owner.ip.replace(/7$/, "0/24"));
  });

  test("is forgotten once the last login from there is too old", async () => {
    const owner = await knownUser();
    await deleteNotSeenSince(testApp.platform.db, new Date(testApp.clock.now().getTime() + 1));
    expect(await known(owner)).toEqual({ devices: [], networks: [] });
  });
});
