import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  addPasskey,
  createAuthenticator,
  loginOptions,
  originOf,
  type Options,
  type TestAuthenticator,
  type Twist,
} from "#src/test-support/test-authenticator.ts";
import { authenticatorCode, createTwoFactorUser } from "#src/test-support/test-two-factor.ts";
import {
  call,
  createUser,
  expectStatus,
  logIn,
  mailsTo,
  openSession,
  testPassword,
  type TestUser,
} from "#src/test-support/test-users.ts";
import { relyingPartyOf } from "./relying-party.ts";

const { passkeys, twoFactor, account } = routes;
const minuteMs = 60_000;
let testApp: TestApp;
let replica: TestApp;
beforeAll(async () => {
  const config = { publicUrl: "https://console.palisade.example/" };
  testApp = await createTestApp({ config });
  replica = await createTestApp({ sharing: testApp, config });
});
afterAll(async () => {
  await replica?.close();
  await testApp?.close();
});

/** A customer with a passkey, who was last seen to be there a while ago. */
async function keyHolder() {
  const user = await createUser(testApp);
  const added = await addPasskey(testApp, user);
  testApp.clock.advance(10 * minuteMs);
  return { user, ...added };
}

async function stepUpOptions({ token }: Pick<TestUser, "token">): Promise<Options> {
  const begun = await expectStatus(call(testApp, twoFactor.beginStepUp, { token }), 200);
  expect(begun.json().factor).toBe("passkey");
  return begun.json().passkey_options;
}

const stepUp = (token: string, body: object, app = testApp) =>
  call(app, twoFactor.stepUp, { token, body });
const logInBy = (credential: object, app = testApp) =>
  call(app, passkeys.logInWithPasskey, { body: { credential } });
const remove = (token: string, id: string) =>
  call(testApp, passkeys.removePasskey, { token, params: { id } });
const listed = async (token: string) =>
  passkeys.listPasskeys.response.parse(
    (await expectStatus(call(testApp, passkeys.listPasskeys, { token }), 200)).json(),
  ).passkeys;

describe("an account's passkeys", () => {
  test("are added with a name, listed, renamed and removed, and the owner is told", async () => {
    const user = await createUser(testApp);
    const { token, email } = user;
    const { id } = await addPasskey(testApp, user, "  Laptop ");
    const usual = { is_synced: false, created_at: testApp.clock.now().toISOString() };
    expect(await listed(token)).toEqual([{ id, name: "Laptop", last_used_at: null, ...usual }]);
    const params = { id };
    await expectStatus(
      call(testApp, passkeys.renamePasskey, { token, params, body: { name: "Phone" } }),
      200,
    );
    expect(await listed(token)).toMatchObject([{ id, name: "Phone" }]);
    await expectStatus(remove(token, id), 200);
    expect(await listed(token)).toEqual([]);
    await until(async () => {
      const subjects = (await mailsTo(testApp, email)).map(({ subject }) => subject);
      return subjects.join() === "A passkey was added,A passkey was removed";
    });
  });

  test("are of this account only", async () => {
    const { id, user } = await keyHolder();
    const stranger = await createUser(testApp);
    const { token } = stranger;
    const params = { id };
    expect(await listed(token)).toEqual([]);
    await expectStatus(remove(token, id), 404);
    await expectStatus(
      call(testApp, passkeys.renamePasskey, { token, params, body: { name: "Mine" } }),
      404,
    );
    expect(await listed(user.token)).toMatchObject([{ id, name: "Laptop" }]);
  });

  test("are ten at most, and each is added once", async () => {
    const user = await createUser(testApp);
    const { token } = user;
    const authenticator = createAuthenticator(originOf(testApp));
    const add = async () => {
      const begun = await expectStatus(call(testApp, passkeys.beginPasskey, { token }), 200);
      const credential = authenticator.create(begun.json().options);
      return call(testApp, passkeys.addPasskey, { token, body: { name: "Same", credential } });
    };
    await expectStatus(add(), 201);
    expect((await add()).json().code).toBe("entry_exists");
    for (let more = 1; more < 10; more += 1) await addPasskey(testApp, user);
    const full = await call(testApp, passkeys.beginPasskey, { token });
    expect([full.statusCode, full.json().code]).toEqual([422, "list_full"]);
  });

  test("are added only by a session that proved itself lately", async () => {
    const { token } = await createUser(testApp);
    const begun = await expectStatus(call(testApp, passkeys.beginPasskey, { token }), 200);
    const credential = createAuthenticator(originOf(testApp)).create(begun.json().options);
    testApp.clock.advance(10 * minuteMs);
    for (const answer of [
      await call(testApp, passkeys.beginPasskey, { token }),
      await call(testApp, passkeys.addPasskey, { token, body: { name: "Thief", credential } }),
    ]) {
      expect(answer.json().code).toBe("step_up_required");
    }
  });
});

describe("a login with a passkey", () => {
  test("needs neither e-mail, password nor code, and counts as recent", async () => {
    const user = await createTwoFactorUser(testApp);
    const { authenticator } = await addPasskey(testApp, user);
    const options = await loginOptions(testApp);
    expect(options).toMatchObject({
      rpId: "console.palisade.example",
      userVerification: "required",
    });
    expect(options["allowCredentials"]).toEqual([]);
    const answer = await expectStatus(logInBy(authenticator.get(options), replica), 200);
    const { access_token: token, user: shown } = answer.json();
    expect(shown.email).toBe(user.email);
    expect(await listed(token)).toMatchObject([
      { last_used_at: testApp.clock.now().toISOString() },
    ]);
    await expectStatus(call(testApp, account.regenerateApiKey, { token }), 200);
  });

  test("is refused once the passkey was removed, and after the account was deleted", async () => {
    const { user, authenticator, id } = await keyHolder();
    const options = await loginOptions(testApp);
    await testApp.platform.db.deleteFrom("passkeys").where("id", "=", id).execute();
    expect((await logInBy(authenticator.get(options))).json().code).toBe("invalid_credentials");

    const { token } = await logIn(testApp, user.email);
    const another = await addPasskey(testApp, { token });
    const body = { email: user.email };
    await expectStatus(call(testApp, account.deleteAccount, { token, body }), 200);
    const late = another.authenticator.get(await loginOptions(testApp));
    expect((await logInBy(late)).json().code).toBe("invalid_credentials");
  });
});

/** Both uses of a passkey: each begins, and says whether an answer was taken. */
const uses = {
  login: {
    begin: () => loginOptions(testApp),
    take: (credential: object) => logInBy(credential),
  },
  "step-up": {
    begin: (user: TestUser) => stepUpOptions(user),
    take: (credential: object, user: TestUser) => stepUp(user.token, { passkey: credential }),
  },
} as const;

describe.each(Object.entries(uses))("an answer to the challenge of a %s", (_, { begin, take }) => {
  async function answered(twist: Twist | ((key: TestAuthenticator, options: Options) => object)) {
    const { user, authenticator } = await keyHolder();
    const options = await begin(user);
    const credential =
      typeof twist === "function"
        ? twist(authenticator, options)
        : authenticator.get(options, twist);
    const answer = await take(credential, user);
    return { answer, user, credential };
  }

  test("counts once, within two minutes", async () => {
    const { answer, user, credential } = await answered({});
    expect(answer.statusCode).toBe(200);
    const token = String(answer.json().access_token);
    const again = await take(credential, { ...user, token });
    expect([again.statusCode, again.json().code]).toEqual([422, "invalid_credentials"]);

    const late = await answered((key, options) => {
      testApp.clock.advance(2 * minuteMs);
      return key.get(options);
    });
    expect(late.answer.json().code).toBe("invalid_credentials");
  });

  test.each<[string, Twist | ((key: TestAuthenticator, options: Options) => object)]>([
    ["on another site", { origin: "https://console.palisade.example.evil.example" }],
    ["for another domain", { rpId: "palisade.example" }],
    ["without the person", { unverified: true }],
    ["as another user", { userHandle: Buffer.from("someone").toString("base64url") }],
    ["to a challenge of their own", (key, o) => key.get({ ...o, challenge: "bWFkZS11cA" })],
    [
      "with a broken signature",
      (key, o) => {
        const proof = key.get(o);
        return { ...proof, response: { ...proof.response, signature: "MEUCIQDx" } };
      },
    ],
    [
      "that is no JSON",
      (key, o) => {
        const proof = key.get(o);
        return { ...proof, response: { ...proof.response, clientDataJSON: "bm90aGluZw" } };
      },
    ],
    [
      "by an unknown passkey",
      (_key, o) => {
        const userHandle = Buffer.from("anyone").toString("base64url");
        return createAuthenticator(originOf(testApp)).get(o, { userHandle });
      },
    ],
  ])("given %s is refused", async (_name, twist) => {
    const { answer } = await answered(twist);
    expect([answer.statusCode, answer.json().code]).toEqual([422, "invalid_credentials"]);
  });

  test("that counts no further than the last one is a copy's, and is refused", async () => {
    const { user, authenticator } = await keyHolder();
    const token = String(
      (await take(authenticator.get(await begin(user), { counter: 7 }), user)).json().access_token,
    );
    const holder = { ...user, token };
    const copy = authenticator.get(await begin(holder), { counter: 7 });
    expect((await take(copy, holder)).json().code).toBe("invalid_credentials");
    await expectStatus(take(authenticator.get(await begin(holder), { counter: 8 }), holder), 200);
  });
});

describe("a step-up where there is a passkey", () => {
  test("takes nothing weaker: neither the password nor a code", async () => {
    const user = await createTwoFactorUser(testApp);
    await addPasskey(testApp, user);
    testApp.clock.advance(10 * minuteMs);
    const byPassword = await stepUp(user.token, { current_password: testPassword });
    expect(byPassword.json()).toMatchObject({ status: 422, issues: [{ path: "passkey" }] });
    const code = authenticatorCode(testApp, user.secret);
    expect((await stepUp(user.token, { code })).json()).toMatchObject({
      status: 422,
      code: "invalid_code",
    });
  });

  test("is asked for after a login by password, however recent", async () => {
    const { user } = await keyHolder();
    const { token } = await logIn(testApp, user.email);
    const answer = await call(testApp, account.regenerateApiKey, { token });
    expect(answer.json().code).toBe("step_up_required");
  });

  test("takes a challenge of this session only, and a passkey of this account only", async () => {
    const { user, authenticator } = await keyHolder();
    const other = await keyHolder();
    const stolen = await openSession(testApp, user);
    const foreign = authenticator.get(await stepUpOptions({ token: stolen }));
    expect((await stepUp(user.token, { passkey: foreign })).statusCode).toBe(422);
    const login = authenticator.get(await loginOptions(testApp));
    expect((await stepUp(user.token, { passkey: login })).statusCode).toBe(422);
    const others = other.authenticator.get(await stepUpOptions(user));
    expect((await stepUp(user.token, { passkey: others })).statusCode).toBe(422);
  });

  test("the last passkey cannot be removed by a stolen session, only after a step-up with it", async () => {
    const { user, authenticator, id } = await keyHolder();
    // The thief has the session, the password, and a login by it that is fresh.
    const stolen = [user.token, (await logIn(testApp, user.email)).token];
    for (const token of stolen) {
      expect((await remove(token, id)).json().code).toBe("step_up_required");
      expect((await stepUp(token, { current_password: testPassword })).statusCode).toBe(422);
    }
    const passkey = authenticator.get(await stepUpOptions(user));
    const { access_token: token } = (
      await expectStatus(stepUp(user.token, { passkey }), 200)
    ).json();
    await expectStatus(remove(token, id), 200);
    // From now on the password is the strongest factor again.
    testApp.clock.advance(10 * minuteMs);
    await expectStatus(stepUp(token, { current_password: testPassword }), 200);
  });
});

test("challenges that expired are deleted", async () => {
  await loginOptions(testApp);
  const { deleteExpiredChallenges } = await import("./passkey-challenges.repository.ts");
  testApp.clock.advance(2 * minuteMs);
  await deleteExpiredChallenges(testApp.platform.db, testApp.clock.now());
  const rows = await testApp.platform.db.selectFrom("passkey_challenges").selectAll().execute();
  expect(rows).toEqual([]);
});

test.each([
  [
    "https://console.example.com/",
    { id: "console.example.com", origin: "https://console.example.com" },
  ],
  ["http://127.0.0.1:8080", { id: "localhost", origin: "http://localhost:8080" }],
  ["http://[::1]:8080", { id: "localhost", origin: "http://localhost:8080" }],
  ["https://192.0.2.1", undefined],
  ["https://[2001:db8::1]:8443", undefined],
])("the public address %s binds passkeys to %o", (address, party) => {
  expect(relyingPartyOf(address)).toEqual(party);
});
