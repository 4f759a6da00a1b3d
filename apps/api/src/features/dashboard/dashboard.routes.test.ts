import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { giveMoney, requireWholeLedger } from "#src/test-support/test-money.ts";
import { addMember, createShield, enrolEdge } from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";
import { insertHours } from "#src/test-support/test-telemetry.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A quarter of the hour has passed. */
const now = Date.parse("2026-03-10T12:15:00Z");

let testApp: TestApp;
let owner: TestUser;
let shieldId: string;

beforeAll(async () => {
  testApp = await createTestApp();
  testApp.clock.set(new Date(now));
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
});
afterAll(() => testApp.close());

beforeEach(async () => {
  owner = await createUser(testApp);
  shieldId = await shieldSince(owner, 40 * dayMs);
});

/** A shield made so long ago. */
async function shieldSince(user: TestUser, ageMs: number): Promise<string> {
  const { id } = await createShield(testApp, user);
  await testApp.platform.db
    .updateTable("shields")
    .set({ created_at: new Date(now - ageMs) })
    .where("id", "=", id)
    .execute();
  return id;
}

interface Hour {
  readonly ago: number;
  readonly players?: number;
  readonly seconds?: number;
  readonly refused?: number;
}

/** The totals that telemetry keeps of an hour; `ago` 0 is the current one. */
async function hour(id: string, { ago, players = 0, seconds = 3600, refused = 0 }: Hour) {
  await insertHours(testApp.platform.db, [
    {
      shield_id: id,
      start: new Date(Math.floor(now / hourMs) * hourMs - ago * hourMs),
      refused: String(refused),
      player_seconds: String(players * seconds),
    },
  ]);
}

async function dashboard(user = owner) {
  const answer = await call(testApp, routes.profile.getDashboard, { token: user.token });
  return routes.profile.getDashboard.response.parse(answer.json());
}

describe("average online", () => {
  test("is the mean over the day, a quarter of an hour counting as a quarter", async () => {
    for (let ago = 1; ago < 24; ago += 1) await hour(shieldId, { ago, players: 10 });
    await hour(shieldId, { ago: 0, players: 103, seconds: 900 });
    const info = await dashboard();
    // (23 x 10 + 0.25 x 103) / 23.25
    expect(info.average_online).toBe(11);
    expect(info.players_history).toEqual([...Array.from({ length: 23 }, () => 10), 103]);
  });

  test("adds up all shields, shared ones included", async () => {
    const other = await createUser(testApp);
    const shared = await shieldSince(other, 40 * dayMs);
    await addMember(testApp, shared, owner);
    for (let ago = 1; ago < 24; ago += 1) {
      await hour(shieldId, { ago, players: 10 });
      await hour(shared, { ago, players: 20 });
    }
    await hour(shared, { ago: 0, players: 30, seconds: 900 });
    expect((await dashboard()).average_online).toBe(30);
    expect((await dashboard(other)).average_online).toBe(20);
  });

  test("begins with the first shield: a first hour is not spread over a day", async () => {
    const novice = await createUser(testApp);
    const first = await shieldSince(novice, 15 * 60_000);
    await hour(first, { ago: 0, players: 8, seconds: 900 });
    expect((await dashboard(novice)).average_online).toBe(8);
  });

  test("is none, not an error, without a shield", async () => {
    const info = await dashboard(await createUser(testApp));
    expect(info).toMatchObject({ average_online: 0, game_shields: 0, blocked_packets: 0 });
    expect(info.players_history).toHaveLength(24);
    expect(info.blocked_history).toHaveLength(24);
  });
});

describe("blocked packets", () => {
  test("are 30 days of the shields one owns, and no longer", async () => {
    await hour(shieldId, { ago: 0, refused: 1 });
    await hour(shieldId, { ago: 30 * 24 - 1, refused: 10 });
    await hour(shieldId, { ago: 30 * 24 + 1, refused: 100 });
    expect((await dashboard()).blocked_packets).toBe(11);
  });

  test("have a day of history, the current hour last; those of shared shields are not one's own", async () => {
    const other = await createUser(testApp);
    await addMember(testApp, shieldId, other);
    await hour(shieldId, { ago: 0, refused: 3 });
    await hour(shieldId, { ago: 23, refused: 5 });
    await hour(shieldId, { ago: 24, refused: 7 });
    const { blocked_history: history } = await dashboard();
    expect([history[0], history[23], history.reduce((sum, value) => sum + value, 0)]).toEqual([
      5, 3, 8,
    ]);
    expect(await dashboard(other)).toMatchObject({ blocked_packets: 0 });
  });
});

describe("the balance", () => {
  test("has a month of history that ends with what there is now", async () => {
    const at = (ms: number) => testApp.clock.set(new Date(ms));
    at(now - 40 * dayMs);
    await giveMoney(testApp, owner, 1_000);
    at(now - 10 * dayMs);
    await giveMoney(testApp, owner, 500, "bonus");
    at(now);
    await giveMoney(testApp, owner, 25);
    const { balance_history: history, balance_cents: cents } = await dashboard();
    expect(cents).toBe(1_525);
    expect(history).toEqual([
      ...Array.from({ length: 19 }, () => 1_000),
      ...Array.from({ length: 10 }, () => 1_500),
      1_525,
    ]);
    await requireWholeLedger(testApp);
  });

  test("is a line at zero for an account that never had any", async () => {
    const { balance_history: history } = await dashboard();
    expect(history).toEqual(Array.from({ length: 30 }, () => 0));
  });
});

describe("game shields", () => {
  test("are the owned and shared ones that exist; only active ones are active", async () => {
    const expired = await shieldSince(owner, dayMs);
    const deleted = await shieldSince(owner, dayMs);
    const { db } = testApp.platform;
    await db.updateTable("shields").set({ status: "expired" }).where("id", "=", expired).execute();
    await db
      .updateTable("shields")
      .set({ status: "deleted", deleted_at: new Date(now) })
      .where("id", "=", deleted)
      .execute();
    expect(await dashboard()).toMatchObject({ game_shields: 2, active_game_shields: 1 });
  });
});
