import { defaultLimits } from "@palisade/contract/http/route";
import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sessionsMax } from "./sessions.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createShield, enrolEdge } from "#src/test-support/test-shields.ts";
import {
  authenticatorCode,
  createTwoFactorUser,
  setUpTwoFactor,
} from "#src/test-support/test-two-factor.ts";
import {
  call,
  createApiKey,
  createStaff,
  createUser,
  expectStatus,
  logIn,
  openSession,
  testPassword,
  type TestUser,
} from "#src/test-support/test-users.ts";

let testApp: TestApp;
let replica: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
  replica = await createTestApp({ sharing: testApp });
});
afterAll(async () => {
  await replica?.close();
  await testApp?.close();
});

async function sessionsOf({ token }: Pick<TestUser, "token">) {
  const answer = await expectStatus(call(testApp, routes.account.listSessions, { token }), 200);
  return routes.account.listSessions.response.parse(answer.json()).sessions;
}

test("an account has 50 sessions: the login after them ends the one that was used least", async () => {
  const user = await createUser(testApp);
  for (let more = 0; more < sessionsMax - 1; more += 1) {
    testApp.clock.advance(1_000);
    await openSession(testApp, user);
  }
  testApp.clock.advance(1_000);
  const { token } = await logIn(testApp, user.email);
  const current = await call(testApp, routes.auth.user, { token: user.token });
  expect(current.statusCode).toBe(401);
  expect(await sessionsOf({ token })).toHaveLength(sessionsMax);
});

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

test("each session tells where it is, when it was used, and which one this is", async () => {
  const user = await createUser(testApp);
  testApp.clock.advance(3_600_000);
  const answer = await call(testApp, routes.auth.login, {
    ip: "203.0.113.9",
    headers: { "user-agent": firefox },
    body: { email: user.email, password: testPassword },
  });
  const token = String(answer.json().access_token);
  const [newest, oldest] = await sessionsOf({ token });
  expect(newest).toEqual({
    id: expect.any(String),
    device: "Firefox on Linux",
    ip: "203.0.113.9",
    created_at: testApp.clock.now().toISOString(),
    last_seen_at: testApp.clock.now().toISOString(),
    is_current: true,
  });
  expect(oldest).toMatchObject({ is_current: false });
});

test("its address is the one it was last seen at", async () => {
  const user = await createUser(testApp);
  testApp.clock.advance(61_000);
  const ip = "203.0.113.77";
  await expectStatus(call(testApp, routes.auth.user, { token: user.token, ip }), 200);
  expect((await sessionsOf(user))[0]?.ip).toBe(ip);
});

test("being seen is written once a minute at most", async () => {
  const user = await createUser(testApp);
  const begun = testApp.clock.now().toISOString();
  testApp.clock.advance(30_000);
  await sessionsOf(user);
  expect((await sessionsOf(user))[0]?.last_seen_at).toBe(begun);
  testApp.clock.advance(31_000);
  await sessionsOf(user);
  expect((await sessionsOf(user))[0]?.last_seen_at).toBe(testApp.clock.now().toISOString());
});

test("a revoked session is refused at once on every replica, others go on", async () => {
  const user = await createUser(testApp);
  const other = await logIn(testApp, user.email);
  await expectStatus(call(replica, routes.auth.user, { token: other.token }), 200);
  const id = (await sessionsOf(other)).find((session) => session.is_current)?.id ?? "";
  await expectStatus(
    call(testApp, routes.account.revokeSession, { token: user.token, params: { id } }),
    200,
  );
  for (const app of [testApp, replica]) {
    await expectStatus(call(app, routes.auth.user, { token: other.token }), 401);
    await expectStatus(call(app, routes.auth.user, { token: user.token }), 200);
  }
  await expectStatus(
    call(testApp, routes.account.revokeSession, { token: user.token, params: { id } }),
    404,
  );
});

test("sessions of others are not there to be ended", async () => {
  const [victim, attacker] = [await createUser(testApp), await createUser(testApp)];
  const [session] = await sessionsOf(victim);
  for (const id of [session?.id ?? "", newId()]) {
    await expectStatus(
      call(testApp, routes.account.revokeSession, { token: attacker.token, params: { id } }),
      404,
    );
  }
  await expectStatus(call(testApp, routes.auth.user, { token: victim.token }), 200);
});

test("revoking all ends this session too, and no session of another user", async () => {
  const [user, bystander] = [await createUser(testApp), await createUser(testApp)];
  const other = await logIn(testApp, user.email);
  await expectStatus(call(testApp, routes.account.revokeSessions, { token: user.token }), 200);
  for (const { token } of [user, other]) {
    await expectStatus(call(replica, routes.auth.user, { token }), 401);
  }
  await expectStatus(call(testApp, routes.auth.user, { token: bystander.token }), 200);
});

test("every login gets a token of its own and only its hash is stored", async () => {
  const first = await createUser(testApp, "tokens@example.com");
  const { token } = await logIn(testApp, "TOKENS@example.com ");
  expect(token).not.toBe(first.token);
  const rows = await testApp.platform.db.selectFrom("sessions").selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(token);
  expect(JSON.stringify(rows)).not.toContain(first.token);
});

test("a session ends 30 days after it was last used", async () => {
  const { token } = await createUser(testApp, "idle@example.com");
  testApp.clock.advance(29 * 86_400_000);
  expect((await call(testApp, routes.auth.user, { token })).statusCode).toBe(200);
  testApp.clock.advance(29 * 86_400_000);
  expect((await call(testApp, routes.auth.user, { token })).statusCode).toBe(200);
  testApp.clock.advance(31 * 86_400_000);
  expect((await call(testApp, routes.auth.user, { token })).statusCode).toBe(401);
});

test("a session ends after 180 days, however often it is used", async () => {
  const { token } = await createUser(testApp, "always@example.com");
  for (let day = 20; day < 180; day += 20) {
    testApp.clock.advance(20 * 86_400_000);
    await expectStatus(call(testApp, routes.auth.user, { token }), 200);
  }
  testApp.clock.advance(20 * 86_400_000);
  await expectStatus(call(testApp, routes.auth.user, { token }), 401);
});

describe("recent authentication", () => {
  const minuteMs = 60_000;
  const stepUp = (token: string, body: Record<string, string>) =>
    call(testApp, routes.twoFactor.stepUp, { token, body });

  /** Needs it: see enable. */
  async function tryToEnable(user: TestUser) {
    const code = authenticatorCode(testApp, await setUpTwoFactor(testApp, user));
    return call(testApp, routes.twoFactor.enableTwoFactor, { token: user.token, body: { code } });
  }

  test("lasts ten minutes from the login, then the password renews it", async () => {
    const user = await createUser(testApp);
    testApp.clock.advance(10 * minuteMs);
    const late = await tryToEnable(user);
    expect([late.statusCode, late.json().code]).toEqual([403, "step_up_required"]);

    const wrong = await stepUp(user.token, { current_password: "not the password" });
    expect(wrong.json()).toMatchObject({
      status: 422,
      code: "invalid_credentials",
      issues: [{ path: "current_password", code: "password.wrong" }],
    });
    expect((await stepUp(user.token, { code: "123456" })).json().code).toBe("invalid_code");
    expect((await tryToEnable(user)).statusCode).toBe(403);

    const answer = await expectStatus(stepUp(user.token, { current_password: testPassword }), 200);
    expect(answer.json().valid_until).toBe(
      new Date(testApp.clock.now().getTime() + 10 * minuteMs).toISOString(),
    );
    testApp.clock.advance(10 * minuteMs - 1);
    await expectStatus(tryToEnable({ ...user, token: answer.json().access_token }), 200);
  });

  test("renews the token: the old one stops on every replica, the session goes on", async () => {
    const user = await createUser(testApp);
    const ids = async (token: string) =>
      (await expectStatus(call(replica, routes.account.listSessions, { token }), 200))
        .json()
        .sessions.map(({ id }: { id: string }) => id);
    const before = await ids(user.token);
    const proof = { current_password: testPassword };
    const token = String((await expectStatus(stepUp(user.token, proof), 200)).json().access_token);
    for (const app of [testApp, replica]) {
      await expectStatus(call(app, routes.auth.user, { token: user.token }), 401);
    }
    expect(await ids(token)).toEqual(before);
  });

  test("one is refused when two at once use the same token", async () => {
    const user = await createUser(testApp);
    const proof = { current_password: testPassword };
    const answers = await Promise.all([stepUp(user.token, proof), stepUp(user.token, proof)]);
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401]);
    const won = answers.find(({ statusCode }) => statusCode === 200);
    await expectStatus(call(testApp, routes.auth.user, { token: won?.json().access_token }), 200);
  });

  test("a stolen session that is old adds no member, ends no other session and deletes nothing", async () => {
    const owner = await createUser(testApp);
    const { id } = await createShield(testApp, owner);
    const stolen = owner.token;
    testApp.clock.advance(10 * minuteMs);
    const { sessions } = (
      await expectStatus(call(testApp, routes.account.listSessions, { token: stolen }), 200)
    ).json();
    const attempts = [
      [routes.subUsers.addSubUser, { params: { id }, body: { email: "thief@example.com" } }],
      [routes.subUsers.removeSubUser, { params: { id, subUserId: id } }],
      [routes.serverLife.deleteServer, { params: { id }, body: { server_name: "Skyblock" } }],
      [routes.account.revokeSession, { params: { id: sessions[0].id } }],
      [routes.account.revokeSessions, {}],
      [
        routes.account.updateNotifications,
        {
          body: {
            email_notifications: true,
            discord_webhook_url: "https://discord.com/api/webhooks/123/thief",
          },
        },
      ],
      [routes.account.createApiKey, { body: { name: "thief", scope: "write" } }],
      [routes.account.deleteApiKey, { params: { id } }],
      [routes.account.deleteAccount, { body: { email: owner.email } }],
    ] as const;
    for (const [route, options] of attempts) {
      const answer = await call(testApp, route, { token: stolen, ...options });
      expect([route.id, answer.statusCode, answer.json().code]).toEqual([
        route.id,
        403,
        "step_up_required",
      ]);
    }
    const proof = { current_password: testPassword };
    const { access_token: token } = (await expectStatus(stepUp(stolen, proof), 200)).json();
    const body = { email: "friend@example.com" };
    const invite = (by: string) =>
      call(testApp, routes.subUsers.addSubUser, { token: by, params: { id }, body });
    await expectStatus(invite(token), 201);
    // The thief's copy of the token is worth nothing once the owner has proved who they are.
    await expectStatus(invite(stolen), 401);
  });

  test("needs a code once two-factor is on: the password proves nothing, however recent", async () => {
    const user = await createTwoFactorUser(testApp);
    testApp.clock.advance(10 * minuteMs);
    const proof = { current_password: testPassword };
    expect((await stepUp(user.token, proof)).json()).toMatchObject({
      status: 422,
      code: "invalid_code",
      issues: [{ path: "code" }],
    });
    // As if its login had been by the password alone.
    const weak = await openSession(testApp, user);
    const reveal = await call(testApp, routes.account.regenerateApiKey, { token: weak });
    expect(reveal.json().code).toBe("step_up_required");
  });

  test("differs between sessions", async () => {
    const user = await createUser(testApp);
    const stolen = await openSession(testApp, user);
    testApp.clock.advance(10 * minuteMs);
    await expectStatus(stepUp(user.token, { current_password: testPassword }), 200);
    expect((await tryToEnable({ ...user, token: stolen })).json().code).toBe("step_up_required");
  });

  test("a code proves it where two-factor is on, once", async () => {
    const user = await createTwoFactorUser(testApp);
    // Switching it on has used the current one up.
    testApp.clock.advance(30_000);
    const code = authenticatorCode(testApp, user.secret);
    const { access_token: token } = (await expectStatus(stepUp(user.token, { code }), 200)).json();
    expect((await stepUp(token, { code })).json().code).toBe("invalid_code");
    await expectStatus(stepUp(token, { code: user.backupCodes[0] ?? "" }), 200);
  });

  test("an API key never has it and cannot get it", async () => {
    const user = await createUser(testApp);
    const key = await createApiKey(testApp, user, "write");
    const answer = await stepUp(key, { current_password: testPassword });
    expect([answer.statusCode, answer.json().code]).toEqual([403, "forbidden"]);
  });
});

test("the thief of a session cannot keep its owner from ending it by calling without end", async () => {
  const thief = await createUser(testApp);
  testApp.clock.advance(11 * 60_000);
  const { token } = await logIn(testApp, thief.email);
  const [{ max }] = defaultLimits.ending;
  const end = () => call(testApp, routes.account.revokeSessions, { token: thief.token });
  for (let calls = 0; calls < max; calls += 1) await expectStatus(end(), 403);
  await expectStatus(end(), 429);
  // As if the thief had used up the account's other limits, too.
  await expectStatus(
    call(testApp, routes.servers.generateCname, { token: thief.token, body: {} }),
    201,
  );
  await testApp.platform.db.updateTable("rate_limits").set({ hits: 1_000_000 }).execute();
  await expectStatus(call(testApp, routes.servers.generateCname, { token, body: {} }), 429);

  const stolen = (await sessionsOf({ token })).find(({ is_current }) => !is_current);
  await expectStatus(
    call(testApp, routes.account.revokeSession, { token, params: { id: String(stolen?.id) } }),
    200,
  );
  await expectStatus(call(testApp, routes.auth.user, { token: thief.token }), 401);
});
