import { routes } from "@palisade/contract/http/routes";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createShield, enrolEdge } from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let owner: TestUser;
let shieldId: string;
beforeAll(async () => {
  testApp = await createTestApp();
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
  owner = await createUser(testApp);
  for (let index = 0; index < 5; index += 1) {
    shieldId = (await createShield(testApp, owner)).id;
  }
});
afterAll(() => testApp?.close());

/** The fewest of some calls: what runs in the background asks the database as well. */
async function roundTrips(work: () => Promise<{ readonly statusCode: number }>): Promise<number> {
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    const counts: number[] = [];
    for (let index = 0; index < 10; index += 1) {
      const before = query.mock.calls.length;
      expect((await work()).statusCode).toBe(200);
      counts.push(query.mock.calls.length - before);
    }
    return Math.min(...counts);
  } finally {
    query.mockRestore();
  }
}

// One of these is for the caller; each costs the api more than its work on the rows.
test("an overview takes the database four round trips", async () => {
  const params = { id: shieldId };
  const overview = () => call(testApp, routes.servers.getOverview, { token: owner.token, params });
  expect(await roundTrips(overview)).toBe(4);
});

test("a list takes four, however many shields are on it", async () => {
  const list = (per_page: string) => () =>
    call(testApp, routes.servers.listServers, { token: owner.token, query: { per_page } });
  expect(await roundTrips(list("1"))).toBe(4);
  expect(await roundTrips(list("100"))).toBe(4);
});
