import { until } from "@palisade/testing/until";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compose, type Composition } from "#src/compose.ts";
import { createMigratedDatabase, testConfig } from "#src/test-support/test-app.ts";

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
const replicas: Composition[] = [];
beforeAll(async () => {
  database = await createMigratedDatabase();
  for (let replica = 0; replica < 2; replica += 1) await addReplica();
});
afterAll(async () => {
  for (const replica of replicas) await replica.close();
  await database?.drop();
});

async function addReplica(): Promise<Composition> {
  const replica = await compose({
    config: testConfig(database.runtimeUrl),
    log: pino({ level: "silent" }),
  });
  replicas.push(replica);
  return replica;
}

const aheadMs = (replica: Composition | undefined): number =>
  (replica?.platform.clock.now().getTime() ?? 0) - Date.now();

test("the development clock moves in every process at once, and in those started later", async () => {
  const [first, second] = replicas;
  const answer = await first?.app.inject({
    method: "POST",
    url: "/dev/clock",
    payload: { advance_seconds: 3600 },
  });
  expect(answer?.statusCode).toBe(200);
  expect(aheadMs(first)).toBeGreaterThan(3_590_000);
  await until(() => aheadMs(second) > 3_590_000);

  await second?.app.inject({
    method: "POST",
    url: "/dev/clock",
    payload: { advance_seconds: 3600 },
  });
  await until(() => aheadMs(first) > 7_190_000);
  expect(aheadMs(await addReplica())).toBeGreaterThan(7_190_000);
});

test("time does not go back", async () => {
  const answer = await replicas[0]?.app.inject({
    method: "POST",
    url: "/dev/clock",
    payload: { advance_seconds: -1 },
  });
  expect(answer?.statusCode).toBe(422);
});
