import { isDeepStrictEqual } from "node:util";
import { statusDocument } from "@palisade/contract/http/status-page";
import { createDb, type Db } from "#src/platform/database/db.ts";
import { until } from "@palisade/testing/until";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { enrolEdge } from "#src/test-support/test-shields.ts";
import { createStaff } from "#src/test-support/test-users.ts";
import { statusChannel } from "./incidents.service.ts";
import { readStatus } from "./status-document.service.ts";
import { statusPaths } from "./status-paths.ts";
import { countMinute, createWatch } from "./uptime.service.ts";

const minuteMs = 60_000;
let testApp: TestApp;
let processes: Db[];
const edges: Record<string, string> = {};
beforeAll(async () => {
  testApp = await createTestApp();
  const staff = await createStaff(testApp);
  for (const name of ["one", "two"]) {
    edges[name] = (await enrolEdge(testApp, staff, { name, location: "local" })).id;
  }
  processes = Array.from({ length: 3 }, () =>
    createDb({
      url: testApp.runtimeUrl,
      connectionsMax: 2,
      statementTimeoutMs: 10_000,
      onConnectionError: () => undefined,
    }),
  );
});
afterAll(async () => {
  for (const db of processes ?? []) await db.destroy();
  await testApp?.close();
});

/** From now on these edges report, and the others are silent. */
async function hearOnly(...names: string[]): Promise<void> {
  const ids = names.map((name) => edges[name]);
  await sql`
    update edges set last_seen_at = clock_timestamp()
      - case when id = any(${ids}::uuid[]) then interval '0' else interval '1 hour' end
  `.execute(testApp.platform.db);
}

/** Every process tries to count every minute; one of them does. */
async function pass(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    testApp.clock.advance(minuteMs);
    const now = testApp.clock.now();
    const counted = await Promise.all(processes.map((db) => countMinute(db, now)));
    expect(counted.filter(Boolean)).toHaveLength(1);
  }
}

async function shown() {
  return readStatus(testApp.platform.db, { now: testApp.clock.now(), isWatched: true });
}

async function componentOf(location: string | null) {
  const { components } = await shown();
  const component = components.find((each) => each.location === location);
  if (component === undefined) throw new Error(`${location} is not shown`);
  return component;
}

describe("uptime", () => {
  test("equals a scripted outage, whichever process counts, and the api's own gap is unknown", async () => {
    testApp.clock.set(new Date("2030-02-01T23:00:10.000Z"));
    await hearOnly("one", "two");
    await pass(30);
    await hearOnly("one");
    await pass(7);
    await hearOnly();
    // Over midnight: 23 minutes of this day, 12 of the next.
    await pass(35);
    await hearOnly("two", "one");
    await pass(20);
    // No process counts for 40 minutes, and the api is back with all edges.
    testApp.clock.advance(40 * minuteMs);
    await pass(15);

    expect(await componentOf("local")).toEqual({
      location: "local",
      name: { en: "This machine", ru: "Эта машина" },
      state: "operational",
      edges: { online: 2, total: 2 },
      // 72 of 107 measured minutes, rounded down.
      uptime: 67.28,
      days: [
        { day: "2030-02-01", up: 37, partial: 7, down: 22 },
        { day: "2030-02-02", up: 35, partial: 0, down: 13 },
      ],
    });
    expect(await componentOf(null)).toMatchObject({
      days: [
        { day: "2030-02-01", up: 59, down: 0 },
        { day: "2030-02-02", up: 48, down: 40 },
      ],
    });
  });

  test("a restart of two minutes leaves the console's uptime as it is", async () => {
    const before = await componentOf(null);
    testApp.clock.advance(2 * minuteMs);
    await pass(1);
    const after = await componentOf(null);
    const down = (component: typeof before) => component.days.map((day) => day.down);
    expect(down(after)).toEqual(down(before));
  });

  test("a drained edge is not missed beside another, and is no place to play alone", async () => {
    await hearOnly("one");
    const drain = (name: string, drained: boolean) =>
      testApp.platform.db
        .updateTable("edges")
        .set({ drained })
        .where("id", "=", edges[name] ?? "")
        .execute();
    await drain("two", true);
    expect(await componentOf("local")).toMatchObject({
      state: "operational",
      edges: { online: 1, total: 1 },
    });
    await drain("one", true);
    expect((await componentOf("local")).state).toBe("down");
    await drain("one", false);
    await drain("two", false);
    expect((await componentOf("local")).state).toBe("degraded");
  });

  test("a clock that goes back counts nothing twice", async () => {
    const before = (await shown()).components;
    testApp.clock.advance(-10 * minuteMs);
    expect(await countMinute(testApp.platform.db, testApp.clock.now())).toBe(false);
    expect((await shown()).components).toEqual(before);
  });

  test("days older than the page shows are deleted", async () => {
    testApp.clock.advance(101 * 86_400_000);
    await pass(1);
    const { rows } = await sql<{ oldest: string }>`
      select min(day)::text as oldest from uptime_days
    `.execute(testApp.platform.db);
    expect(new Date(rows[0]?.oldest ?? 0).getTime()).toBeGreaterThan(
      testApp.clock.nowMs() - 101 * 86_400_000,
    );
  });
});

describe("the watch", () => {
  test("a silent edge counts once the database was seen for longer than an edge may be silent", () => {
    let now = 0;
    const watch = createWatch(() => now);
    const pause = (seconds: number, answered = true) => {
      now += seconds * 1_000;
      watch.note(answered);
      return watch.isLongEnough();
    };
    expect(pause(0)).toBe(false);
    expect([pause(15), pause(15), pause(15)]).toEqual([false, false, true]);
    // The database was away, or the process was.
    expect([pause(15, false), pause(15), pause(30), pause(15)]).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect([pause(41), pause(30), pause(15)]).toEqual([false, false, true]);
  });
});

test("the public JSON shows the same figures", async () => {
  const { bus, db } = testApp.platform;
  await bus.notify(db, statusChannel, "");
  const component = await componentOf("local");
  await until(async () => {
    const answer = await testApp.app.inject({ url: statusPaths.json });
    const { components } = statusDocument.parse(answer.json());
    const shown = components.find(({ location }) => location === "local");
    return isDeepStrictEqual(shown?.days, component.days);
  });
});
