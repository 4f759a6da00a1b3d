import { routes } from "@palisade/contract/http/routes";
import type { Server } from "@palisade/contract/http/servers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { freshDomain } from "#src/test-support/test-domains.ts";
import { addMember, createShield, enrolEdge } from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let staff: TestUser;
let owner: TestUser;
let shield: Server;
let domain: string;

beforeAll(async () => {
  testApp = await createTestApp();
  staff = await createStaff(testApp);
  const edge = await enrolEdge(testApp, staff, { name: "one" });
  await testApp.platform.db
    .updateTable("edges")
    .set({ last_seen_at: new Date() })
    .where("id", "=", edge.id)
    .execute();
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  owner = await createUser(testApp);
  domain = freshDomain();
  const server_name = nameOf(domain);
  shield = await createShield(testApp, owner, { domain, server_name, real_ip: "198.51.100.77" });
});

const { staffShields } = routes;

const nameOf = (ofDomain: string): string => `Castle ${ofDomain.replaceAll(".", "-")}`;

async function found(query: Record<string, string>): Promise<string[]> {
  const answer = await call(testApp, staffShields.listShields, { token: staff.token, query });
  return staffShields.listShields.response.parse(answer.json()).data.map(({ id }) => id);
}

async function details() {
  const answer = await call(testApp, staffShields.readShield, {
    token: staff.token,
    params: { shieldId: shield.id },
  });
  return staffShields.readShield.response.parse(answer.json()).shield;
}

const act = (
  route: (typeof staffShields)["blockShield" | "unblockShield" | "setShieldPlan"],
  body: object,
) => call(testApp, route, { token: staff.token, params: { shieldId: shield.id }, body });

async function compiledStatus(): Promise<string> {
  const { config } = await testApp.platform.db
    .selectFrom("shield_revisions")
    .select("config")
    .where("shield_id", "=", shield.id)
    .orderBy("revision", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  return JSON.parse(config).status;
}

describe("a shield is found", () => {
  test.each([
    ["its domain, also a part of it", () => domain.slice(0, -5).toUpperCase()],
    ["its CNAME target", () => shield.cname_record],
    ["a part of its name", () => nameOf(domain).slice(1).toLowerCase()],
    ["its id", () => shield.id],
    ["the e-mail of its owner", () => owner.email],
  ])("by %s", async (_, q) => {
    expect(await found({ q: q() })).toEqual([shield.id]);
  });

  test("by the address of a backend, with the port or without, and by its owner", async () => {
    expect(await found({ q: "198.51.100.77" })).toContain(shield.id);
    expect(await found({ q: "198.51.100.77:25565" })).toContain(shield.id);
    expect(await found({ q: "198.51.100.77:25566" })).toEqual([]);
    expect(await found({ owner_id: owner.id })).toEqual([shield.id]);
    expect(await found({ owner_id: owner.id, status: "blocked" })).toEqual([]);
  });

  test("wildcards of the database are letters like others", async () => {
    expect(await found({ q: "%" })).toEqual([]);
    expect(await found({ q: "castle_own" })).toEqual([]);
  });
});

test("one shield is shown with people, domains, backends and edges", async () => {
  const member = await createUser(testApp);
  await addMember(testApp, shield.id, member);
  expect(await details()).toMatchObject({
    owner: { id: owner.id, email: owner.email },
    plan: { slug: "free" },
    subscription: null,
    domains: [{ name: domain }],
    backends: [{ host: "198.51.100.77", port: 25_565, is_up: null }],
    members: [{ id: member.id, email: member.email }],
    edges: [{ name: "one", location: "local", applied_revision: null }],
  });
});

describe("staff", () => {
  test("block and free a shield as the command does, with the reason on record", async () => {
    const blocked = await act(staffShields.blockShield, { reason: "Phishing" });
    expect(blocked.statusCode).toBe(200);
    expect(await compiledStatus()).toBe("blocked");
    expect(await details()).toMatchObject({ status: "blocked", blocked_reason: "Phishing" });
    // What is so already is no error, and changes nothing.
    testApp.clock.advance(1_000);
    await act(staffShields.blockShield, { reason: "Again" });
    expect((await details()).blocked_reason).toBe("Phishing");
    testApp.clock.advance(1_000);
    await act(staffShields.unblockShield, { reason: "Cleared up" });
    expect(await compiledStatus()).toBe("active");

    const { status, blocked_reason, history, actions } = await details();
    expect([status, blocked_reason]).toEqual(["active", null]);
    expect(history.map(({ author }) => author.kind)).toContain("staff");
    expect(actions.map(({ route, reason, staff_email }) => [route, reason, staff_email])).toEqual([
      ["staffShields.unblock", "Cleared up", staff.email],
      ["staffShields.block", "Again", staff.email],
      ["staffShields.block", "Phishing", staff.email],
    ]);
    const { chain } = await testApp.platform.db
      .selectFrom("audit_log")
      .select("chain")
      .where("endpoint", "like", "%unblock")
      .where("actor_id", "=", staff.id)
      .executeTakeFirstOrThrow();
    expect(chain).toBe(`user:${staff.id}`);
  });

  test("put a shield on a plan without a charge, if it fits", async () => {
    const answer = await act(staffShields.setShieldPlan, { plan: "pro", reason: "Sponsored" });
    expect(answer.statusCode).toBe(200);
    const { plan, subscription } = await details();
    expect(plan.slug).toBe("pro");
    expect(subscription).toMatchObject({ price_cents: 2_900 });
    const { db } = testApp.platform;
    expect(await db.selectFrom("ledger_txns").selectAll().execute()).toEqual([]);

    const unknown = await act(staffShields.setShieldPlan, { plan: "gold", reason: "Sponsored" });
    expect([unknown.statusCode, unknown.json().issues[0].path]).toEqual([422, "plan"]);
    await db
      .insertInto("shield_domains")
      .values(
        [1, 2, 3].map((index) => ({
          id: crypto.randomUUID(),
          shield_id: shield.id,
          name: `more${index}.${domain}`,
          created_at: testApp.clock.now(),
          verified_at: null,
        })),
      )
      .execute();
    const tooMuch = await act(staffShields.setShieldPlan, { plan: "free", reason: "Ended" });
    expect([tooMuch.statusCode, tooMuch.json().code]).toEqual([409, "plan_exceeded"]);
    expect((await details()).plan.slug).toBe("pro");
  });

  test("are told of shields that are not there, or deleted", async () => {
    const elsewhere = { token: staff.token, params: { shieldId: crypto.randomUUID() } };
    expect((await call(testApp, staffShields.readShield, elsewhere)).statusCode).toBe(404);
    const body = { reason: "Phishing" };
    const unknown = await call(testApp, staffShields.blockShield, { ...elsewhere, body });
    expect(unknown.statusCode).toBe(404);
    await testApp.platform.db
      .updateTable("shields")
      .set({ status: "deleted", deleted_from: "active", deleted_at: testApp.clock.now() })
      .where("id", "=", shield.id)
      .execute();
    expect((await act(staffShields.blockShield, body)).statusCode).toBe(410);
  });
});
