import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  addMember,
  createShield,
  enrolEdge,
  type TestEdge,
} from "#src/test-support/test-shields.ts";
import { openTestStream } from "#src/test-support/test-stream.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";
import { servedAfterMs } from "./regions.service.ts";

let testApp: TestApp;
let owner: TestUser;
let shieldId: string;
let here: TestEdge;
let frankfurt: TestEdge;
let names: TestEdge;

beforeAll(async () => {
  testApp = await createTestApp();
  const staff = await createStaff(testApp);
  here = await enrolEdge(testApp, staff, { name: "here" });
  frankfurt = await enrolEdge(testApp, staff, { name: "fra", location: "frankfurt" });
  await enrolEdge(testApp, staff, { name: "kyiv", location: "kyiv" });
  names = await enrolEdge(testApp, staff, { name: "zone", kind: "dns" });
});
afterAll(() => testApp.close());
beforeEach(async () => {
  owner = await createUser(testApp);
  shieldId = (await createShield(testApp, owner)).id;
});

const { getRegion, updateRegion } = routes.regions;

async function region(user = owner, headers: Record<string, string> = {}) {
  const params = { id: shieldId };
  const answer = await call(testApp, getRegion, { token: user.token, params, headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return { region: getRegion.response.parse(answer.json()), etag: String(answer.headers.etag) };
}

function tryMove(location: unknown, headers: Record<string, string> = {}, user = owner) {
  const params = { id: shieldId };
  return call(testApp, updateRegion, { token: user.token, params, body: { location }, headers });
}

async function move(location: string) {
  const answer = await tryMove(location);
  expect(answer.statusCode, answer.body).toBe(200);
  return updateRegion.response.parse(answer.json());
}

async function sweep(): Promise<void> {
  const { db, jobs } = testApp.platform;
  await db.transaction().execute((trx) => jobs.send(trx, "regions.sweep", {}));
}

describe("the region of a shield", () => {
  test("is named with all there are; what the plan or the edges do not offer is shown as such", async () => {
    const { region: now } = await region(owner, { "accept-language": "ru" });
    expect(now).toMatchObject({
      current_region: { name: "local", display_name: "Эта машина" },
      locked_seconds: 0,
      left_regions: [],
    });
    expect(now.available_regions.map(({ value, is_available }) => [value, is_available])).toEqual([
      ["local", true],
      ["frankfurt", true],
      // No edge there.
      ["stockholm", false],
      // Not of the plan.
      ["kyiv", false],
      ["almaty", false],
    ]);
  });

  test.each(["frankfurt", " Frankfurt ", "Germany", "германия"])(
    "can be named '%s': by value, name or display text",
    async (location) => {
      const { message, region: now, revision } = await move(location);
      expect(message).toBe("Region updated successfully");
      expect(now.current_region).toEqual({ name: "frankfurt", display_name: "Germany" });
      expect(revision).toBe(2);
    },
  );

  test.each(["stockholm", "kyiv", "Ukraine", "nowhere", "\0"])(
    "cannot be '%s'",
    async (location) => {
      const answer = await tryMove(location);
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toMatchObject({
        code: "location_unavailable",
        issues: [{ path: "location" }],
      });
      expect((await tryMove("")).json().issues[0].message).toBe("Location is required");
    },
  );

  test("can be changed once every 2 minutes, also by two at once; a refusal says when again", async () => {
    const both = await Promise.all([tryMove("frankfurt"), tryMove("Germany")]);
    // The second finds it done already: no change, no refusal.
    expect(both.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    testApp.clock.advance(30_500);
    const refused = await tryMove("local");
    expect(refused.statusCode).toBe(429);
    expect(refused.headers["retry-after"]).toBe("90");
    expect(refused.json()).toMatchObject({
      code: "rate_limited",
      message: "The region can be changed once every 2 minutes. Try again in 90 s",
    });
    expect((await region()).region.locked_seconds).toBe(90);
    testApp.clock.advance(89_500);
    expect((await move("local")).revision).toBe(3);
  });

  test("a region that was changed in the meantime stays as it is", async () => {
    const { etag } = await region();
    await move("frankfurt");
    testApp.clock.advance(120_000);
    const stale = await tryMove("local", { "if-match": etag });
    expect(stale.statusCode).toBe(412);
    expect(stale.json().code).toBe("precondition_failed");
  });

  test("can be changed by members; not while the shield is not active", async () => {
    const member = await createUser(testApp);
    await addMember(testApp, shieldId, member);
    expect((await tryMove("frankfurt", {}, member)).statusCode).toBe(200);
    const { db } = testApp.platform;
    await db.updateTable("shields").set({ status: "blocked" }).where("id", "=", shieldId).execute();
    expect((await tryMove("local")).json().code).toBe("server_not_active");
  });
});

test("DNS leads to the new region at once; the old edge goes on serving until DNS leads no player there", async () => {
  const streams = await Promise.all(
    [here, frankfurt, names].map((edge) => openTestStream(testApp, edge)),
  );
  try {
    const sizes = () => streams.map(({ lines }) => lines.length);
    /** The newest word of a stream on the shield, since those lines. */
    const heard = (at: number, since: number) =>
      streams[at]?.lines
        .slice(since)
        .flatMap((line) =>
          line.kind === "delta" || line.kind === "shield" ? [JSON.stringify(line)] : [],
        )
        .findLast((line) => line.includes(shieldId));
    await expect
      .poll(() => [heard(0, 0), heard(2, 0)].every(Boolean), { timeout: 30_000 })
      .toBe(true);
    expect(heard(1, 0)).toBeUndefined();

    const before = sizes();
    const moved = await move("frankfurt");
    await expect
      .poll(() => before.every((size, at) => heard(at, size) !== undefined), { timeout: 30_000 })
      .toBe(true);
    expect(heard(2, before[2] ?? 0)).toMatch(/"location\\?":\s*\\?"frankfurt/);
    expect(moved.region.left_regions).toEqual([
      {
        name: "local",
        display_name: "This machine",
        until: new Date(testApp.clock.now().getTime() + servedAfterMs).toISOString(),
      },
    ]);

    const params = { id: shieldId };
    const receipt = routes.servers.getPropagation.response.parse(
      (await call(testApp, routes.servers.getPropagation, { token: owner.token, params })).json(),
    );
    expect(receipt.edges.map(({ edge }) => edge)).toEqual(["fra", "here"]);

    // Changes of these minutes reach the old edge, too.
    testApp.clock.advance(servedAfterMs - 1_000);
    await sweep();
    const reports = sizes();
    await call(testApp, routes.firewall.updateFirewall, {
      token: owner.token,
      params,
      body: { whitelist_only: true },
    });
    await expect.poll(() => heard(0, reports[0] ?? 0), { timeout: 30_000 }).toBeDefined();

    testApp.clock.advance(1_000);
    const last = sizes();
    await sweep();
    const isRemoved = (at: number) =>
      streams[at]?.lines
        .slice(last[at])
        .some((line) => line.kind === "delta" && line.removed.includes(shieldId));
    await expect.poll(() => isRemoved(0), { timeout: 30_000 }).toBe(true);
    expect(isRemoved(1)).toBe(false);
    expect(isRemoved(2)).toBe(false);
    expect((await region()).region.left_regions).toEqual([]);
  } finally {
    for (const stream of streams) stream.close();
  }
});

test("a shield that returns is served there again, and leaves the location in between", async () => {
  await move("frankfurt");
  testApp.clock.advance(120_000);
  const { region: now } = await move("local");
  expect(now.left_regions.map(({ name }) => name)).toEqual(["frankfurt"]);
  const { locations } = await testApp.platform.db
    .selectFrom("shield_configs")
    .select("locations")
    .where("shield_id", "=", shieldId)
    .orderBy("schema", "desc")
    .executeTakeFirstOrThrow();
  expect(locations.toSorted()).toEqual(["frankfurt", "local"]);
});
