import { routes } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { call } from "#src/test-support/test-users.ts";
import { createTestWorld, shieldBody, type TestWorld } from "#src/test-support/test-world.ts";

let testApp: TestApp;
let replica: TestApp;
let world: TestWorld;
beforeAll(async () => {
  testApp = await createTestApp();
  replica = await createTestApp({ sharing: testApp });
  world = await createTestWorld(testApp);
});
afterAll(async () => {
  await replica?.close();
  await testApp?.close();
});

function create(app: TestApp, key: string, body: unknown, token = world.owner.token) {
  return call(app, routes.servers.createServer, {
    token,
    body,
    headers: { "idempotency-key": key },
  });
}

async function countShields(): Promise<number> {
  const row = await testApp.platform.db
    .selectFrom("shields")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

describe("Idempotency-Key", () => {
  test("the same key and body replay status and body", async () => {
    const body = await shieldBody(testApp, world.owner.token);
    const first = await create(testApp, "replayed", body);
    const before = await countShields();
    const second = await create(replica, "replayed", body);
    expect(first.statusCode).toBe(201);
    expect(second.statusCode).toBe(201);
    expect(second.json()).toEqual(first.json());
    expect(await countShields()).toBe(before);
  });

  test("another body under the same key is refused", async () => {
    const body = await shieldBody(testApp, world.owner.token);
    await create(testApp, "reused", body);
    const other = await create(testApp, "reused", { ...body, server_name: "Other" });
    expect([other.statusCode, other.json().code]).toEqual([422, "idempotency_mismatch"]);
  });

  test("20 parallel calls on two replicas have one effect", async () => {
    const body = await shieldBody(testApp, world.owner.token);
    const before = await countShields();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        create(index % 2 === 0 ? testApp : replica, "parallel", body),
      ),
    );
    expect(await countShields()).toBe(before + 1);
    const created = answers.filter((answer) => answer.statusCode === 201);
    const waiting = answers.filter((answer) => answer.statusCode === 409);
    expect(created.length).toBeGreaterThan(0);
    expect(created.length + waiting.length).toBe(20);
    expect(new Set(created.map((answer) => answer.body)).size).toBe(1);
    for (const answer of waiting) expect(answer.json().code).toBe("idempotency_in_progress");
  });

  test("while the first call runs the second is told so", async () => {
    const body = await shieldBody(testApp, world.owner.token);
    const actor = `user:${world.owner.id}`;
    await testApp.platform.db.transaction().execute(async (trx) => {
      await sql`
        select pg_advisory_xact_lock(hashtextextended(${`${actor} servers.create running`}, 0))
      `.execute(trx);
      const answer = await create(replica, "running", body);
      expect([answer.statusCode, answer.json().code]).toEqual([409, "idempotency_in_progress"]);
      expect(answer.headers["retry-after"]).toBe("1");
    });
    expect((await create(replica, "running", body)).statusCode).toBe(201);
  });

  test("a failed call leaves nothing and may be repeated with the same key", async () => {
    const body = await shieldBody(testApp, world.owner.token);
    const failed = await create(testApp, "failed-first", { ...body, location: "nowhere" });
    expect([failed.statusCode, failed.json().code]).toEqual([422, "location_unavailable"]);
    expect((await create(testApp, "failed-first", body)).statusCode).toBe(201);
  });

  test("keys belong to their caller", async () => {
    const own = await shieldBody(testApp, world.owner.token);
    const others = await shieldBody(testApp, world.stranger.token);
    expect((await create(testApp, "shared", own)).statusCode).toBe(201);
    expect((await create(testApp, "shared", others, world.stranger.token)).statusCode).toBe(201);
  });

  test.each(["two words", "", "x".repeat(201)])("%j is no key", async (key) => {
    const answer = await create(testApp, key, await shieldBody(testApp, world.owner.token));
    expect(answer.statusCode).toBe(422);
    expect(answer.json().issues).toMatchObject([{ path: "Idempotency-Key", code: "invalid" }]);
  });
});
