import { zoneEdges } from "@palisade/contract/edge/zone-record";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { enrolEdge, type TestEdge } from "#src/test-support/test-shields.ts";
import { createStaff } from "#src/test-support/test-users.ts";
import { readZone } from "./zone.ts";

let testApp: TestApp;
let silent: TestEdge;
let drained: TestEdge;

beforeAll(async () => {
  testApp = await createTestApp();
  const staff = await createStaff(testApp);
  silent = await enrolEdge(testApp, staff, { name: "silent", addresses: ["192.0.2.1"] });
  drained = await enrolEdge(testApp, staff, { name: "drained" });
  await sql`
    update edges set last_seen_at = clock_timestamp() - interval '31 seconds'
    where id = ${silent.id}
  `.execute(testApp.platform.db);
  await sql`update edges set drained = true where id = ${drained.id}`.execute(testApp.platform.db);
});
afterAll(() => testApp.close());

async function zone(hasWatchedLongEnough: boolean) {
  const { db } = testApp.platform;
  const text = await readZone({
    db,
    zone: "gs.localhost",
    broadcaster: { hasWatchedLongEnough: () => hasWatchedLongEnough },
  });
  const { edges } = zoneEdges.parse(JSON.parse(text));
  return Object.fromEntries(edges.map((edge) => [edge.id, edge]));
}

describe("the zone", () => {
  test("an edge not heard from is not healthy; a drained one is, and says so", async () => {
    const edges = await zone(true);
    expect(edges[silent.id]).toMatchObject({ healthy: false, addresses: ["192.0.2.1"] });
    expect(edges[drained.id]).toMatchObject({ healthy: true, drained: true });
  });

  test("an api that was away itself takes no edge out of answers", async () => {
    expect((await zone(false))[silent.id]).toMatchObject({ healthy: true });
  });
});
