import { until } from "@palisade/testing/until";
import { pino } from "pino";
import { expect, test } from "vitest";
import { createDb } from "#src/platform/database/db.ts";
import { createPgBus } from "#src/platform/database/pg-bus.ts";
import { createMigratedDatabase } from "#src/test-support/test-app.ts";
import { createJobRunner } from "./pg-boss-jobs.ts";

test("a job whose last try has failed is given up once, and the log says so", async () => {
  const database = await createMigratedDatabase();
  const url = database.runtimeUrl;
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(line) });
  const db = createDb({
    url,
    connectionsMax: 2,
    statementTimeoutMs: 10_000,
    onConnectionError() {},
  });
  const bus = createPgBus({ url, log });
  await bus.start();
  const runner = createJobRunner({ url, bus, log });
  let tries = 0;
  const givenUp: unknown[] = [];
  await runner.start([
    {
      name: "test.failing",
      retryLimit: 1,
      retryDelaySeconds: 0,
      concurrency: 2,
      async run(data, signal) {
        tries += 1;
        expect(signal?.aborted).toBe(false);
        throw new Error(`Try ${tries} of ${JSON.stringify(data)}`);
      },
      onGivenUp: (data, error) => void givenUp.push(data, String(error)),
    },
  ]);
  try {
    await db.transaction().execute((trx) => runner.send(trx, "test.failing", { a: 1 }));
    await until(() => givenUp.length > 0);
    expect(tries).toBe(2);
    expect(givenUp).toEqual([{ a: 1 }, 'Error: Try 2 of {"a":1}']);
    expect(lines.filter((line) => line.includes("A job failed"))).toHaveLength(1);
    expect(lines.filter((line) => line.includes("given up after its last try"))).toHaveLength(1);
  } finally {
    await runner.stop();
    await bus.stop();
    await db.destroy();
    await database.drop();
  }
});
