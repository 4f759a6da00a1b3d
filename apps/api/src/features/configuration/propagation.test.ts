import { routes } from "@palisade/contract/http/routes";
import type { Ack } from "@palisade/contract/edge/edge-routes";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createShield, enrolEdge, type TestEdge } from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let owner: TestUser;
let first: TestEdge;
let second: TestEdge;
let abroad: TestEdge;
let shieldId: string;

beforeAll(async () => {
  testApp = await createTestApp();
  const staff = await createStaff(testApp);
  first = await enrolEdge(testApp, staff, { name: "a" });
  second = await enrolEdge(testApp, staff, { name: "b" });
  abroad = await enrolEdge(testApp, staff, { name: "c", location: "frankfurt" });
  await enrolEdge(testApp, staff, { name: "zone", kind: "dns" });
  owner = await createUser(testApp);
});
afterAll(() => testApp.close());
beforeEach(async () => {
  owner = await createUser(testApp);
  shieldId = (await createShield(testApp, owner)).id;
  await sql`update edges set last_seen_at = clock_timestamp()`.execute(testApp.platform.db);
});

async function acknowledge(
  edge: TestEdge,
  ...acks: (Partial<Ack> & Pick<Ack, "revision">)[]
): Promise<void> {
  const answer = await call(testApp, routes.edge.acks, {
    token: edge.credential,
    body: {
      version: 1,
      acks: acks.map((ack) => ({ shield_id: shieldId, outcome: "applied", ...ack })),
    },
  });
  expect(answer.statusCode).toBe(200);
}

async function change(): Promise<number> {
  const answer = await call(testApp, routes.firewall.updateFirewall, {
    token: owner.token,
    params: { id: shieldId },
    body: { whitelist_only: true },
  });
  return routes.firewall.updateFirewall.response.parse(answer.json()).revision;
}

async function propagation(query: Record<string, string> = {}) {
  const answer = await call(testApp, routes.servers.getPropagation, {
    token: owner.token,
    params: { id: shieldId },
    query,
  });
  return routes.servers.getPropagation.response.parse(answer.json());
}

describe("propagation", () => {
  test("is complete, with its time, once every edge of the location has applied the revision", async () => {
    const revision = await change();
    expect(await propagation()).toMatchObject({
      revision,
      edges_total: 2,
      edges_applied: 0,
      applied_in_ms: null,
    });
    await acknowledge(first, { revision });
    expect(await propagation()).toMatchObject({ edges_applied: 1, applied_in_ms: null });
    await acknowledge(second, { revision });
    const done = await propagation();
    expect(done).toMatchObject({ edges_applied: 2, edges_rejected: 0 });
    expect(done.applied_in_ms).toBeGreaterThanOrEqual(0);
    expect(done.applied_in_ms).toBeLessThan(20_000);
    expect(done.edges.map(({ edge, outcome }) => [edge, outcome])).toEqual([
      ["a", "applied"],
      ["b", "applied"],
    ]);
  });

  test("a repeated acknowledgement does not make the change look slower", async () => {
    const revision = await change();
    await acknowledge(first, { revision });
    await acknowledge(second, { revision });
    const before = (await propagation()).applied_in_ms;
    await acknowledge(first, { revision });
    expect((await propagation()).applied_in_ms).toBe(before);
  });

  test("a rejection names its reason and is over with the next revision that is applied", async () => {
    const revision = await change();
    await acknowledge(first, { revision, outcome: "rejected", reason: "unknown key \u0000x" });
    const rejected = await propagation();
    expect(rejected).toMatchObject({ edges_rejected: 1, applied_in_ms: null });
    expect(rejected.edges[0]).toMatchObject({ outcome: "rejected", reason: "unknown key x" });
    const next = await change();
    expect((await propagation()).edges[0]).toMatchObject({ outcome: "pending" });
    await acknowledge(first, { revision: next });
    expect((await propagation()).edges[0]).toMatchObject({ outcome: "applied", reason: null });
    expect((await propagation({ revision: String(revision) })).edges[0]?.outcome).toBe("applied");
  });

  test("late and doubled acknowledgements never take a revision back", async () => {
    const [older, newer] = [await change(), await change()];
    await acknowledge(first, { revision: newer });
    await acknowledge(
      first,
      { revision: older },
      { revision: older, outcome: "rejected", reason: "old" },
      { revision: older },
    );
    expect((await propagation()).edges[0]).toMatchObject({ edge: "a", outcome: "applied" });
  });

  test("an unknown revision is 404", async () => {
    const answer = await call(testApp, routes.servers.getPropagation, {
      token: owner.token,
      params: { id: shieldId },
      query: { revision: "99" },
    });
    expect(answer.statusCode).toBe(404);
  });

  test("acknowledgements from elsewhere, from the future or of no shield are ignored", async () => {
    const revision = await change();
    await acknowledge(abroad, { revision });
    await acknowledge(first, { revision: revision + 1 }, { revision: 2_147_483_648 });
    await acknowledge(first, { revision: 1, shield_id: first.id });
    const { rows } = await sql<{ n: string }>`
      select count(*) as n from edge_acks where shield_id = ${shieldId}
    `.execute(testApp.platform.db);
    expect(rows[0]?.n).toBe("0");
    expect((await propagation()).edges_applied).toBe(0);
  });

  test("edges that are offline are not waited for", async () => {
    const revision = await change();
    await sql`
      update edges set last_seen_at = clock_timestamp() - interval '31 seconds'
      where id = ${second.id}
    `.execute(testApp.platform.db);
    await acknowledge(first, { revision });
    expect(await propagation()).toMatchObject({ edges_total: 1, edges_applied: 1 });
  });
});
