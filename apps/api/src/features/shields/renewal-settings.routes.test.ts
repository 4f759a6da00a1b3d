import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { giveMoney, requireWholeLedger } from "#src/test-support/test-money.ts";
import { addMember, createShield, enrolEdge, planIdOf } from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let replica: TestApp;
let owner: TestUser;
let shieldId: string;

beforeAll(async () => {
  testApp = await createTestApp();
  replica = await createTestApp({ sharing: testApp });
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
  owner = await createUser(testApp);
});
afterAll(async () => {
  await replica?.close();
  await testApp?.close();
});
beforeEach(async () => {
  shieldId = (await createShield(testApp, owner)).id;
});

function set(body: object, options: { readonly app?: TestApp; readonly locale?: string } = {}) {
  return call(options.app ?? testApp, routes.servers.updateOverview, {
    token: owner.token,
    params: { id: shieldId },
    body,
    headers: { "accept-language": options.locale ?? "en" },
  });
}

async function overview(of = shieldId, by = owner) {
  const answer = await call(testApp, routes.servers.getOverview, {
    token: by.token,
    params: { id: of },
  });
  return routes.servers.getOverview.response.parse(answer.json());
}

async function setStatus(status: "active" | "expired" | "blocked"): Promise<void> {
  const { db } = testApp.platform;
  await db.updateTable("shields").set({ status }).where("id", "=", shieldId).execute();
}

describe("the renewal toggles", () => {
  test("are on at first; each is changed by itself, says so and makes no revision", async () => {
    expect(await overview()).toMatchObject({ automatic_renewal: true, include_balance: true });
    const renewal = await set({ automatic_renewal: false });
    expect(renewal.statusCode).toBe(200);
    expect(renewal.json()).toEqual({
      automatic_renewal: false,
      include_balance: true,
      message: "Automatic renewal changed",
    });
    expect((await set({ include_balance: false })).json()).toEqual({
      automatic_renewal: false,
      include_balance: false,
      message: "Include account balance changed",
    });
    expect(await overview()).toMatchObject({ automatic_renewal: false, include_balance: false });
    testApp.clock.advance(5_000);
    const both = await set({ automatic_renewal: true, include_balance: true }, { locale: "ru" });
    expect(both.json().message).toBe(
      "Автоматическое продление изменено. Использование баланса изменено",
    );
    const { revision } = await testApp.platform.db
      .selectFrom("shields")
      .select("revision")
      .where("id", "=", shieldId)
      .executeTakeFirstOrThrow();
    expect(revision).toBe(1);
  });

  test("stay locked for 5 s after a change, on every replica; the other one does not", async () => {
    expect((await set({ automatic_renewal: false })).statusCode).toBe(200);
    testApp.clock.advance(3_200);
    const early = await set({ automatic_renewal: true }, { app: replica });
    expect([early.statusCode, early.json().code]).toEqual([429, "rate_limited"]);
    expect([early.headers["retry-after"], early.json().retry_after]).toEqual(["2", 2]);
    expect((await set({ include_balance: false }, { app: replica })).statusCode).toBe(200);
    // Both or nothing: the second toggle is locked still.
    testApp.clock.advance(1_800);
    expect((await set({ automatic_renewal: true, include_balance: true })).statusCode).toBe(429);
    expect(await overview()).toMatchObject({ automatic_renewal: false, include_balance: false });
    expect((await set({ automatic_renewal: true }, { app: replica })).statusCode).toBe(200);
  });

  test("an unchanged value locks nothing and is not refused within the lock", async () => {
    expect((await set({ automatic_renewal: true })).statusCode).toBe(200);
    expect((await set({ automatic_renewal: false })).statusCode).toBe(200);
    expect((await set({ automatic_renewal: false })).statusCode).toBe(200);
    testApp.clock.advance(5_000);
    expect((await set({ automatic_renewal: true })).statusCode).toBe(200);
  });

  test("ten asking for the same at once over two replicas all get it; going back is then locked", async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        set({ include_balance: false }, { app: index % 2 === 0 ? testApp : replica }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200));
    const back = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        set({ include_balance: true }, { app: index % 2 === 0 ? testApp : replica }),
      ),
    );
    expect(back.map(({ statusCode }) => statusCode)).toEqual(Array(4).fill(429));
  });

  test.each(["expired", "blocked"] as const)(
    "are refused in words for a shield that is %s",
    async (status) => {
      await setStatus(status);
      const renewal = await set({ automatic_renewal: false });
      expect([renewal.statusCode, renewal.json().code]).toEqual([409, "server_not_active"]);
      expect(renewal.json().message).toBe("Server must be active to change renewal settings");
      const balance = await set({ include_balance: false });
      expect(balance.statusCode).toBe(409);
      expect(balance.json().message).toBe("Server must be active to change balance settings");
      expect((await set({ include_balance: false }, { locale: "ru" })).json().message).toBe(
        "Чтобы менять настройки баланса, сервер должен быть активен",
      );
    },
  );

  test.each([
    [{}, "Send at least one setting"],
    [{ automatic_renewal: "yes" }, "Must be true or false"],
    [{ include_balance: null }, "Must be true or false"],
  ])("%j is 422", async (body, message) => {
    const answer = await set(body);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().issues).toMatchObject([{ message }]);
  });

  test("are the owner's alone", async () => {
    const member = await createUser(testApp);
    await addMember(testApp, shieldId, member);
    const answer = await call(testApp, routes.servers.updateOverview, {
      token: member.token,
      params: { id: shieldId },
      body: { automatic_renewal: false },
    });
    expect(answer.statusCode).toBe(403);
    expect(await overview()).toMatchObject({ automatic_renewal: true });
  });
});

describe("the renewal forecast", () => {
  test("says when, how much and whether what is on file covers it", async () => {
    testApp.clock.set(new Date("2031-01-31T15:30:00Z"));
    owner = await createUser(testApp);
    await giveMoney(testApp, owner, 1_000);
    shieldId = (
      await createShield(testApp, owner, { pricing_plan_id: await planIdOf(testApp, "plus") })
    ).id;
    expect((await overview()).renewal).toEqual({
      charge_at: "2031-02-27T15:30:00.000Z",
      price: "9.00",
      price_cents: 900,
      outcome: "short",
      missing: "8.00",
      missing_cents: 800,
      paid_from: "balance",
      is_due: false,
    });
    await giveMoney(testApp, owner, 800, "bonus");
    expect((await overview()).renewal).toMatchObject({ outcome: "covered", missing: "0.00" });
    await set({ include_balance: false });
    expect((await overview()).renewal).toMatchObject({ outcome: "off" });
    expect(await overview()).toMatchObject({
      expires_at: "2031-02-28T15:30:00.000Z",
      traffic_used_percent: 0,
      traffic_resets_at: "2031-02-01T00:00:00.000Z",
      under_attack: false,
    });
    await requireWholeLedger(testApp);
  });

  test("is due from a day before the end, and the list of shields says until when it is unpaid", async () => {
    testApp.clock.set(new Date("2031-01-31T15:30:00Z"));
    owner = await createUser(testApp);
    await giveMoney(testApp, owner, 900);
    const pricing_plan_id = await planIdOf(testApp, "plus");
    shieldId = (await createShield(testApp, owner, { pricing_plan_id })).id;
    const listed = async () => {
      const input = { token: owner.token };
      return (await call(testApp, routes.servers.listServers, input)).json().data[0];
    };
    testApp.clock.set(new Date("2031-02-27T15:29:59Z"));
    expect((await overview()).renewal).toMatchObject({ is_due: false });
    testApp.clock.set(new Date("2031-02-27T15:30:00Z"));
    expect((await overview()).renewal).toMatchObject({ is_due: true });
    expect(await listed()).toMatchObject({ grace_ends_at: null, traffic_used_up: false });
    testApp.clock.set(new Date("2031-02-28T15:30:00Z"));
    expect(await listed()).toMatchObject({ grace_ends_at: "2031-03-03T15:30:00.000Z" });
    expect(await overview()).toMatchObject({ grace_ends_at: "2031-03-03T15:30:00.000Z" });
  });

  test("gives the reason of a block to the owner, and to no sub-user", async () => {
    const member = await createUser(testApp);
    await addMember(testApp, shieldId, member);
    await testApp.platform.db
      .updateTable("shields")
      .set({ status: "blocked", blocked_reason: "Unpaid dispute" })
      .where("id", "=", shieldId)
      .execute();
    expect(await overview()).toMatchObject({ blocked_reason: "Unpaid dispute" });
    expect(await overview(shieldId, member)).toMatchObject({ blocked_reason: null });
  });

  test("tells a sub-user nothing of the owner's balance, however much it is", async () => {
    owner = await createUser(testApp);
    const member = await createUser(testApp);
    await giveMoney(testApp, owner, 1_000);
    const pricing_plan_id = await planIdOf(testApp, "plus");
    shieldId = (await createShield(testApp, owner, { pricing_plan_id })).id;
    await addMember(testApp, shieldId, member);
    const lacking = (await overview(shieldId, member)).renewal;
    expect(lacking).toMatchObject({ price_cents: 900, outcome: null });
    expect(lacking).toMatchObject({ missing: null, missing_cents: null });
    await giveMoney(testApp, owner, 800, "bonus");
    expect((await overview()).renewal).toMatchObject({ outcome: "covered" });
    expect((await overview(shieldId, member)).renewal).toEqual(lacking);
    // The toggles are theirs to see, and with them that nothing will be tried.
    await set({ automatic_renewal: false });
    const off = (await overview(shieldId, member)).renewal;
    expect(off).toEqual({ ...lacking, outcome: "off" });
  });

  test("there is none where the plan costs nothing", async () => {
    expect(await overview()).toMatchObject({ renewal: null, expires_at: null });
  });
});
