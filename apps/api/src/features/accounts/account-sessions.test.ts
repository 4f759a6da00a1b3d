import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "#src/platform/ids.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  call,
  createUser,
  expectStatus,
  logIn,
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

async function sessionsOf({ token }: Pick<TestUser, "token">) {
  const answer = await expectStatus(call(testApp, routes.account.listSessions, { token }), 200);
  return routes.account.listSessions.response.parse(answer.json()).sessions;
}

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

test("revoking all ends this one too, and nobody else's", async () => {
  const [user, bystander] = [await createUser(testApp), await createUser(testApp)];
  const other = await logIn(testApp, user.email);
  await expectStatus(call(testApp, routes.account.revokeSessions, { token: user.token }), 200);
  for (const { token } of [user, other]) {
    await expectStatus(call(replica, routes.auth.user, { token }), 401);
  }
  await expectStatus(call(testApp, routes.auth.user, { token: bystander.token }), 200);
});
