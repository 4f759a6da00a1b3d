import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { beginTopUp, changeRecord, confirm } from "#src/test-support/test-payments.ts";
import { giveMoney } from "#src/test-support/test-money.ts";
import { createTwoFactorUser } from "#src/test-support/test-two-factor.ts";
import { enrolEdge } from "#src/test-support/test-shields.ts";
import { createShield } from "#src/test-support/test-world.ts";
import {
  call,
  createApiKey,
  createStaff,
  createUser,
  expectStatus,
  testPassword,
  type CallOptions,
  type TestUser,
} from "#src/test-support/test-users.ts";

const { staffUsers, auth } = routes;

let testApp: TestApp;
let ann: TestUser;
let ben: TestUser;
let user: TestUser;
beforeAll(async () => {
  testApp = await createTestApp();
  [ann, ben] = [await createStaff(testApp), await createStaff(testApp)];
  await enrolEdge(testApp, ann, { name: "one" });
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  user = await createUser(testApp);
});

type Route = (typeof staffUsers)[keyof typeof staffUsers];
const reason = "Ticket 7";

/** A call of a staff member about the user; by default Ann's. */
function act(route: Route, options: CallOptions & { by?: TestUser; about?: TestUser } = {}) {
  const { by = ann, about = user, ...rest } = options;
  return call(testApp, route, { token: by.token, params: { userId: about.id }, ...rest });
}

const logIn = (about: TestUser) =>
  call(testApp, auth.login, {
    ip: "198.18.200.1",
    body: { email: about.email, password: testPassword },
  });

const records = async (about = user) => {
  const answer = await expectStatus(act(staffUsers.listUserRecord, { about }), 200);
  return staffUsers.listUserRecord.response.parse(answer.json()).data;
};

async function detail(about = user) {
  const answer = await expectStatus(act(staffUsers.getUser, { about }), 200);
  return staffUsers.getUser.response.parse(answer.json()).user;
}

describe("the list of accounts", () => {
  const found = async (q: string, query: Record<string, string> = {}) => {
    const answer = await expectStatus(
      call(testApp, staffUsers.listUsers, { token: ann.token, query: { q, ...query } }),
      200,
    );
    return staffUsers.listUsers.response.parse(answer.json()).data.map(({ id }) => id);
  };

  test("finds one by e-mail, id, name and a shield's label, whatever characters are typed", async () => {
    const shieldId = await createShield(testApp, user);
    const { cname_record: label } = await testApp.platform.db
      .selectFrom("shields")
      .select("cname_record")
      .where("id", "=", shieldId)
      .executeTakeFirstOrThrow();
    await testApp.platform.db
      .insertInto("profiles")
      .values({ user_id: user.id, first_name: "Änne", last_name: `O'${user.id}` })
      .execute();
    for (const q of [user.email.toUpperCase(), user.id, shieldId, label, `änne o'${user.id}`]) {
      expect(await found(q), q).toEqual([user.id]);
    }
    for (const q of ["%", "_".repeat(3), "\\", "100%"]) expect(await found(q), q).toEqual([]);
  });

  test("says who is blocked, and lists them alone", async () => {
    await expectStatus(act(staffUsers.blockUser, { body: { reason, block_shields: false } }), 200);
    expect(await found(user.email, { state: "blocked" })).toEqual([user.id]);
    expect(await found(user.email, { state: "active" })).toEqual([]);
  });
});

describe("money", () => {
  test("is adjusted once for a repeated call, with its reason in the ledger and on record", async () => {
    const headers = { "idempotency-key": "0199a3f2-adjust" };
    for (let time = 0; time < 2; time += 1) {
      const answer = await act(staffUsers.adjustBalance, { headers, body: { cents: 700, reason } });
      expect([answer.statusCode, answer.json().outcome]).toEqual([200, "done"]);
    }
    expect(await balanceOf(testApp.platform.db, user.id)).toEqual({
      cashCents: 700,
      bonusCents: 0,
    });
    const ledger = await expectStatus(act(staffUsers.listUserLedger), 200);
    expect(ledger.json().data).toEqual([
      expect.objectContaining({ kind: "adjustment", note: reason, cash_cents: 700 }),
    ]);
    expect(await records()).toContainEqual(
      expect.objectContaining({ staff: ann.email, route: "staffUsers.adjust", reason }),
    );
  });

  test("is not taken below 0, and then nothing is ordered", async () => {
    await giveMoney(testApp, user, 100);
    const answer = await act(staffUsers.adjustBalance, { body: { cents: -101, reason } });
    expect([answer.statusCode, answer.json().code]).toEqual([402, "insufficient_funds"]);
    expect((await detail()).orders).toEqual([]);
  });

  test("above the limit waits for another staff member, who confirms it once", async () => {
    const placed = await expectStatus(
      act(staffUsers.adjustBalance, { body: { cents: 900_000, reason } }),
      200,
    );
    expect(placed.json().outcome).toBe("waiting");
    const params = { orderId: String(placed.json().order_id) };
    const decide = (by: TestUser) =>
      call(testApp, staffUsers.confirmOrder, { token: by.token, params, body: { reason } });
    expect((await decide(ann)).statusCode).toBe(409);
    expect((await detail()).orders).toEqual([
      expect.objectContaining({ kind: "adjust", amount_cents: 900_000, is_own: true }),
    ]);
    const outcomes = await Promise.all([decide(ben), decide(ben), decide(ben)]);
    expect(outcomes.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409,
    ]);
    expect((await balanceOf(testApp.platform.db, user.id)).cashCents).toBe(900_000);
  });

  test("a refund of a top-up is sent back for its own account only", async () => {
    const topUp = await beginTopUp(testApp, user, { amount: 20 });
    await changeRecord(testApp, topUp, { status: "paid" });
    await confirm(testApp, user, topUp);
    const body = { intent_id: topUp.intent.id, reason };
    const other = await createUser(testApp);
    expect((await act(staffUsers.refundTopUp, { about: other, body })).statusCode).toBe(404);
    await expectStatus(act(staffUsers.refundTopUp, { body }), 200);
    expect((await balanceOf(testApp.platform.db, user.id)).cashCents).toBe(0);
  });
});

describe("a blocked account", () => {
  const block = (block_shields: boolean) =>
    expectStatus(act(staffUsers.blockUser, { body: { reason, block_shields } }), 200);
  const statusOf = async (id: string) => {
    const { status } = await testApp.platform.db
      .selectFrom("shields")
      .select("status")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    return status;
  };

  test("cannot log in, its sessions end and its keys stop, until the block is lifted", async () => {
    const key = await createApiKey(testApp, user, "read");
    const shieldId = await createShield(testApp, user);
    await block(false);
    for (const token of [user.token, key]) {
      expect((await call(testApp, routes.servers.listServers, { token })).statusCode).toBe(401);
    }
    const refused = await logIn(user);
    expect([refused.statusCode, refused.json().code]).toEqual([403, "account_blocked"]);
    expect(await statusOf(shieldId)).toBe("active");

    await expectStatus(act(staffUsers.unblockUser, { body: { reason } }), 200);
    await expectStatus(logIn(user), 200);
    expect((await call(testApp, routes.servers.listServers, { token: key })).statusCode).toBe(200);
  });

  test("says so after the right password only", async () => {
    await block(false);
    const answer = await call(testApp, auth.login, {
      ip: "198.18.200.2",
      body: { email: user.email, password: "wrong horse battery" },
    });
    expect(answer.json().code).toBe("invalid_credentials");
  });

  test("takes its shields along by choice; those blocked before stay blocked after it", async () => {
    const [first, second] = [await createShield(testApp, user), await createShield(testApp, user)];
    await testApp.platform.db
      .updateTable("shields")
      .set({ status: "blocked", blocked_reason: "Phishing" })
      .where("id", "=", second)
      .execute();
    await block(true);
    expect([await statusOf(first), await statusOf(second)]).toEqual(["blocked", "blocked"]);
    await expectStatus(act(staffUsers.unblockUser, { body: { reason } }), 200);
    expect([await statusOf(first), await statusOf(second)]).toEqual(["active", "blocked"]);
  });

  test("is never one of staff", async () => {
    const answer = await act(staffUsers.blockUser, {
      about: ben,
      body: { reason, block_shields: false },
    });
    expect([answer.statusCode, answer.json().code]).toEqual([409, "conflict"]);
  });
});

test("logging out everywhere ends every session of the account", async () => {
  await expectStatus(act(staffUsers.logOutUser, { body: { reason } }), 200);
  expect((await call(testApp, auth.user, { token: user.token })).statusCode).toBe(401);
});

describe("two-factor of an owner who lost it", () => {
  const ask = (about: TestUser) => act(staffUsers.askTwoFactorOff, { about, body: { reason } });
  const confirmBy = (by: TestUser, about: TestUser) =>
    act(staffUsers.confirmTwoFactorOff, { by, about, body: { reason } });

  test("is removed once another staff member confirms it, and the owner's sessions end", async () => {
    const owner = await createTwoFactorUser(testApp);
    await expectStatus(ask(owner), 200);
    expect((await ask(owner)).statusCode).toBe(409);
    expect((await confirmBy(ann, owner)).statusCode).toBe(409);
    expect((await detail(owner)).two_factor_enabled).toBe(true);
    await expectStatus(confirmBy(ben, owner), 200);
    expect((await detail(owner)).two_factor_enabled).toBe(false);
    expect((await confirmBy(ben, owner)).statusCode).toBe(404);
    expect((await call(testApp, auth.user, { token: owner.token })).statusCode).toBe(401);
    await expectStatus(logIn(owner), 200);
  });

  test("stays on when it is rejected, also by the one who asked", async () => {
    const owner = await createTwoFactorUser(testApp);
    await expectStatus(ask(owner), 200);
    await expectStatus(act(staffUsers.rejectTwoFactorOff, { about: owner, body: { reason } }), 200);
    expect((await detail(owner)).two_factor_enabled).toBe(true);
    expect((await confirmBy(ben, owner)).statusCode).toBe(404);
  });

  test("cannot be removed where there is none", async () => {
    expect((await ask(user)).statusCode).toBe(409);
  });
});

test("the owner reads in their own audit log what support did", async () => {
  await expectStatus(act(staffUsers.logOutUser, { body: { reason } }), 200);
  const { token } = await expectStatus(logIn(user), 200).then((answer) => ({
    token: String(answer.json().access_token),
  }));
  const log = await expectStatus(call(testApp, routes.audit.listAuditLog, { token }), 200);
  expect(log.json().data).toContainEqual(
    expect.objectContaining({ actor: "Support", method: "POST", response_status: 200 }),
  );
});

describe("the global search", () => {
  const search = async (q: string, by = ann) => {
    const answer = await expectStatus(
      call(testApp, staffUsers.searchAll, { token: by.token, query: { q } }),
      200,
    );
    return staffUsers.searchAll.response.parse(answer.json()).results;
  };

  test("finds accounts, and shields by domain, label and the address of a backend", async () => {
    const shieldId = await createShield(testApp, user);
    const { db } = testApp.platform;
    const { name } = await db
      .selectFrom("shield_domains")
      .select("name")
      .where("shield_id", "=", shieldId)
      .executeTakeFirstOrThrow();
    await db
      .updateTable("backends")
      .set({ host: "198.51.100.231" })
      .where("group_id", "in", (eb) =>
        eb.selectFrom("backend_groups").select("id").where("shield_id", "=", shieldId),
      )
      .execute();
    const shield = expect.objectContaining({ kind: "shield", id: shieldId, user_id: user.id });
    for (const q of [name, "198.51.100.231"]) expect(await search(q), q).toEqual([shield]);
    expect(await search(user.email)).toEqual([
      expect.objectContaining({ kind: "user", id: user.id, title: user.email }),
    ]);
  });

  test("finds for each role only what the role may open", async () => {
    const operator = await createStaff(testApp, ["operations"]);
    expect(await search(user.email, operator)).toEqual([]);
  });
});
