import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  call,
  createUser,
  expectStatus,
  logIn,
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

const tenMinutesMs = 600_000;

function regenerate({ token }: Pick<TestUser, "token">, app = testApp) {
  return call(app, routes.account.regenerateApiKey, { token });
}

async function newProfileKey(user: TestUser): Promise<string> {
  const answer = await expectStatus(regenerate(user), 200);
  return routes.account.regenerateApiKey.response.parse(answer.json()).api_key;
}

function create({ token }: Pick<TestUser, "token">, body: object) {
  return call(testApp, routes.account.createApiKey, { token, body });
}

async function newNamedKey(user: TestUser, body: object = { name: "Bot", scope: "write" }) {
  const answer = await expectStatus(create(user, body), 201);
  return routes.account.createApiKey.response.parse(answer.json());
}

async function keysOf({ token }: Pick<TestUser, "token">) {
  const answer = await expectStatus(call(testApp, routes.account.listApiKeys, { token }), 200);
  return routes.account.listApiKeys.response.parse(answer.json()).api_keys;
}

const works = (key: string, app = testApp) =>
  call(app, routes.auth.user, { token: key }).then((answer) => answer.statusCode);

describe("the profile's own key", () => {
  test("works as a bearer, is shown masked, in full on demand, and rests encrypted", async () => {
    const user = await createUser(testApp);
    const key = await newProfileKey(user);
    expect(key).toMatch(/^psk_/);
    expect(await works(key)).toBe(200);

    const profile = await call(testApp, routes.account.getProfile, { token: user.token });
    expect(profile.json().profile.api_key).toBe(`psk_…${key.slice(-4)}`);
    expect(profile.body).not.toContain(key.slice(4, -4));
    const revealed = await call(testApp, routes.account.revealApiKey, { token: user.token });
    expect(revealed.json()).toEqual({ api_key: key });
    const rows = await testApp.platform.db
      .selectFrom("api_keys")
      .selectAll()
      .where("user_id", "=", user.id)
      .execute();
    expect(JSON.stringify(rows)).not.toContain(key.slice(4, -4));
  });

  test("there is none to show before the first", async () => {
    const { token } = await createUser(testApp);
    await expectStatus(call(testApp, routes.account.revealApiKey, { token }), 404);
  });

  test("made anew, the old one stops at once on every replica", async () => {
    const user = await createUser(testApp);
    const first = await newProfileKey(user);
    expect(await works(first, replica)).toBe(200);
    const answer = await regenerate(user);
    expect(answer.json().message).toBe("API key regenerated successfully");
    expect([await works(first), await works(first, replica)]).toEqual([401, 401]);
    expect(await works(answer.json().api_key, replica)).toBe(200);
  });

  test("exactly one works after many were made at once: the one that is shown", async () => {
    const user = await createUser(testApp);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => regenerate(user, index % 2 ? testApp : replica)),
    );
    const keys = answers.map((answer) => String(answer.json().api_key));
    const statuses = await Promise.all(keys.map((key) => works(key)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    const shown = await call(testApp, routes.account.revealApiKey, { token: user.token });
    expect(shown.json().api_key).toBe(keys[statuses.indexOf(200)]);
  });
});

describe("named keys", () => {
  test("are shown once, kept as hashes and listed without their secret", async () => {
    const user = await createUser(testApp);
    const { api_key, key } = await newNamedKey(user, {
      name: "Bot",
      scope: "read",
      expires_in_days: 30,
    });
    expect(await works(api_key)).toBe(200);
    testApp.clock.advance(1_000);
    const listed = await keysOf(user);
    expect(listed).toEqual([{ ...key, last_used_at: expect.any(String) }]);
    expect(key.expires_at).toBe(
      new Date(Date.parse(key.created_at) + 30 * 86_400_000).toISOString(),
    );
    const rows = await testApp.platform.db
      .selectFrom("api_keys")
      .selectAll()
      .where("user_id", "=", user.id)
      .execute();
    expect(JSON.stringify([rows, listed])).not.toContain(api_key.slice(4, -4));
    expect(rows[0]?.sealed).toBeNull();
  });

  test("a reading one does not write, and none manages keys, sessions or the account", async () => {
    const user = await createUser(testApp);
    const { api_key: reading } = await newNamedKey(user, { name: "R", scope: "read" });
    const { api_key: writing } = await newNamedKey(user, { name: "W", scope: "write" });
    await expectStatus(call(testApp, routes.servers.generateCname, { token: reading }), 403);
    await expectStatus(call(testApp, routes.servers.generateCname, { token: writing }), 201);
    for (const route of Object.values(routes.account)) {
      if (route.access === "anonymous" || route.id === "account.profile") continue;
      const answer = await call(testApp, route, { token: writing, params: { id: user.id } });
      expect(answer.statusCode, route.id).toBe(403);
    }
  });

  test("one that has expired is refused, and stays listed until it is deleted", async () => {
    const user = await createUser(testApp);
    const { api_key } = await newNamedKey(user, { name: "Day", scope: "read", expires_in_days: 1 });
    testApp.clock.advance(86_400_000);
    expect(await works(api_key)).toBe(401);
    expect(await keysOf(user)).toHaveLength(1);
  });

  test("deleted, it stops at once; the profile's own is not deleted that way", async () => {
    const user = await createUser(testApp);
    const own = await newProfileKey(user);
    const { api_key, key } = await newNamedKey(user);
    const remove = (id: string, token: string) =>
      call(testApp, routes.account.deleteApiKey, { token, params: { id } });
    const stranger = await createUser(testApp);
    await expectStatus(remove(key.id, stranger.token), 404);
    expect(await works(api_key, replica)).toBe(200);
    await expectStatus(remove(key.id, user.token), 200);
    expect(await works(api_key, replica)).toBe(401);
    expect(await keysOf(user)).toEqual([]);
    await expectStatus(remove(key.id, user.token), 404);
    const ownRow = await testApp.platform.db
      .selectFrom("api_keys")
      .select("id")
      .where("user_id", "=", user.id)
      .where("is_profile", "=", true)
      .executeTakeFirstOrThrow();
    await expectStatus(remove(ownRow.id, user.token), 404);
    expect(await works(own)).toBe(200);
  });

  test("there are 20 at most, however many are made at once", async () => {
    const user = await createUser(testApp);
    for (let made = 0; made < 18; made += 1) await newNamedKey(user);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => create(user, { name: "Late", scope: "read" })),
    );
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([
      201, 201, 422, 422, 422,
    ]);
    expect(answers.find((answer) => answer.statusCode === 422)?.json()).toMatchObject({
      code: "list_full",
      message: "At most 20 API keys. Delete one first",
    });
    expect(await keysOf(user)).toHaveLength(20);
  });

  test("a repeated call gets the same key, which is stored encrypted in between", async () => {
    const user = await createUser(testApp);
    const once = ({ token } = user) =>
      call(testApp, routes.account.createApiKey, {
        token,
        headers: { "idempotency-key": "one-key" },
        body: { name: "Once", scope: "read" },
      });
    const first = await expectStatus(once(), 201);
    const again = await expectStatus(once(), 201);
    expect(again.json()).toEqual(first.json());
    expect(await keysOf(user)).toHaveLength(1);
    const rows = await testApp.platform.db.selectFrom("idempotency_keys").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(String(first.json().api_key).slice(4));
    testApp.clock.advance(tenMinutesMs);
    expect((await expectStatus(once(), 403)).json().code).toBe("step_up_required");
    const proven = await expectStatus(once(await logIn(testApp, user.email)), 201);
    expect(proven.json()).toEqual(first.json());
  });

  test.each([
    [{ scope: "read" }, "name", "Required"],
    [{ name: " ", scope: "read" }, "name", "Required"],
    [{ name: "x".repeat(51), scope: "read" }, "name", "Too long"],
    [{ name: "x", scope: "admin" }, "scope", "Scope must be read or write"],
    [{ name: "x", scope: "read", expires_in_days: 0 }, "expires_in_days", "Invalid value"],
    [{ name: "x", scope: "read", expires_in_days: 1.5 }, "expires_in_days", "Invalid value"],
  ])("%j is refused", async (body, path, message) => {
    const user = await createUser(testApp);
    const answer = await expectStatus(create(user, body), 422);
    expect(answer.json().issues[0]).toMatchObject({ path, message });
  });
});

test("showing, making, regenerating and deleting want recent authentication", async () => {
  const user = await createUser(testApp);
  await newProfileKey(user);
  const { key } = await newNamedKey(user);
  testApp.clock.advance(tenMinutesMs);
  for (const answer of [
    await regenerate(user),
    await create(user, { name: "Late", scope: "read" }),
    await call(testApp, routes.account.revealApiKey, { token: user.token }),
    await call(testApp, routes.account.deleteApiKey, { token: user.token, params: { id: key.id } }),
  ]) {
    expect(answer.statusCode).toBe(403);
    expect(answer.json().code).toBe("step_up_required");
  }
  await newProfileKey(await logIn(testApp, user.email));
});
