import { configSchemaVersion } from "@palisade/contract/edge/shield-config";
import { routes } from "@palisade/contract/http/routes";
import { restorableDays } from "@palisade/contract/http/server-life";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  addMember,
  createShield,
  enrolEdge,
  reserveCname,
  shieldBody,
} from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";
import { freeShieldsMax } from "./free-shields.service.ts";
import { unusedLabelsMax } from "./shields.service.ts";

let testApp: TestApp;
let owner: TestUser;
let stranger: TestUser;

beforeAll(async () => {
  testApp = await createTestApp();
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
  owner = await createUser(testApp);
  stranger = await createUser(testApp);
});
afterAll(() => testApp.close());

async function create(user: TestUser, changes: Readonly<Record<string, unknown>>) {
  const body = { ...(await shieldBody(testApp, user)), ...changes };
  return call(testApp, routes.servers.createServer, { token: user.token, body });
}

describe("creating a shield", () => {
  test("answers 201 with the shield and leaves everything an edge needs", async () => {
    const body = await shieldBody(testApp, owner);
    const answer = await call(testApp, routes.servers.createServer, { token: owner.token, body });
    expect(answer.statusCode).toBe(201);
    const { server, message } = routes.servers.createServer.response.parse(answer.json());
    expect(message).toBe("GameShield created!");
    expect(server).toMatchObject({
      server_name: "My server",
      status: "active",
      role: "owner",
      pricing_plan: { name: "Free" },
      cname_record: body.cname_record,
      domain: "mc.example.com",
      location: { name: "local", display_name: "This machine" },
    });
    const { db } = testApp.platform;
    const stored = await db
      .selectFrom("shield_configs")
      .where("schema", "=", configSchemaVersion)
      .select(["config", "revision", "locations"])
      .where("shield_id", "=", server.id)
      .executeTakeFirstOrThrow();
    expect(stored).toMatchObject({ revision: 1, locations: ["local"] });
    expect(JSON.parse(stored.config)).toMatchObject({
      label: body.cname_record,
      domains: [{ name: "mc.example.com", proven: false }],
      groups: [{ default: true, backends: [{ host: "127.0.0.1", port: 25_565 }] }],
    });
    const audit = await db
      .selectFrom("audit_log")
      .select(["response_status"])
      .where("actor_id", "=", owner.id)
      .where("endpoint", "=", "/api/v1/servers")
      .execute();
    expect(audit).toEqual([{ response_status: 201 }]);
  });

  test("labels are 12 base32 characters below the zone and never come twice", async () => {
    const labels = await Promise.all(Array.from({ length: 5 }, () => reserveCname(testApp, owner)));
    for (const label of labels) expect(label).toMatch(/^[a-z2-7]{12}\.gs\.localhost$/);
    expect(new Set(labels).size).toBe(labels.length);
  });

  test("an account with many unused labels gets its own oldest again, and never another account's", async () => {
    const hoarder = await createUser(testApp);
    const foreign = await reserveCname(testApp, stranger);
    const labels: string[] = [];
    for (let n = 0; n < unusedLabelsMax; n += 1) {
      testApp.clock.advance(1_000);
      labels.push(await reserveCname(testApp, hoarder));
    }
    expect(new Set(labels).size).toBe(unusedLabelsMax);
    // In turn, so that two wizards of theirs are not given the same one.
    const again: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      testApp.clock.advance(1_000);
      again.push(await reserveCname(testApp, hoarder));
    }
    expect(again).toEqual(labels.slice(0, 3));
    expect(again).not.toContain(foreign);
    const used = await create(hoarder, { cname_record: labels[5] });
    expect(used.statusCode).toBe(201);
    const { unused } = await testApp.platform.db
      .selectFrom("cname_reservations")
      .select((eb) => eb.fn.countAll<string>().as("unused"))
      .where("user_id", "=", hoarder.id)
      .where("shield_id", "is", null)
      .executeTakeFirstOrThrow();
    expect(Number(unused)).toBe(unusedLabelsMax - 1);
    expect(labels).not.toContain(await reserveCname(testApp, hoarder));
  });

  test("takes only the caller's own unused reservation", async () => {
    const used = await createShield(testApp, owner);
    const foreign = await reserveCname(testApp, stranger);
    for (const cname_record of [used.cname_record, foreign, "aaaaaaaaaaaa.gs.localhost", "a\0b"]) {
      const answer = await create(owner, { cname_record });
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toMatchObject({
        code: "cname_not_reserved",
        issues: [{ path: "cname_record" }],
      });
    }
  });

  test("two creations with one reservation: one succeeds", async () => {
    const body = await shieldBody(testApp, owner);
    const answers = await Promise.all(
      [1, 2].map(() => call(testApp, routes.servers.createServer, { token: owner.token, body })),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([201, 422]);
  });

  test("a plan dearer than the balance is 402, an unknown one 409", async () => {
    const { id } = await testApp.platform.db
      .selectFrom("pricing_plans")
      .select("id")
      .where("slug", "=", "pro")
      .executeTakeFirstOrThrow();
    const dear = await create(owner, { pricing_plan_id: id });
    expect([dear.statusCode, dear.json().code]).toEqual([402, "insufficient_funds"]);
    const unknown = await create(owner, { pricing_plan_id: owner.id });
    expect([unknown.statusCode, unknown.json().code]).toEqual([409, "plan_unavailable"]);
  });

  test("a location without an edge, or none at all, is refused at its field; display texts are accepted", async () => {
    for (const location of ["frankfurt", "Germany", "atlantis"]) {
      const answer = await create(owner, { location });
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toMatchObject({
        code: "location_unavailable",
        issues: [{ path: "location" }],
      });
    }
    for (const location of ["This Machine", "эта машина"]) {
      expect((await create(owner, { location })).statusCode).toBe(201);
    }
  });

  test("domains are stored in their ASCII form, whatever was typed", async () => {
    const server = await createShield(testApp, owner, { domain: " ПРИМЕР.рф. " });
    expect(server.domain).toBe("xn--e1afmkfd.xn--p1ai");
  });

  test("a domain that another account has proven is in use; an unproven claim is not", async () => {
    const proven = await createShield(testApp, stranger, { domain: "proven.example.com" });
    await createShield(testApp, owner, { domain: "PROVEN.example.com" });
    await testApp.platform.db
      .updateTable("shield_domains")
      .set({ verified_at: testApp.clock.now() })
      .where("shield_id", "=", proven.id)
      .execute();
    const answer = await create(owner, { domain: "Proven.Example.com." });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      code: "domain_in_use",
      issues: [{ path: "domain", message: "This domain is already in use" }],
    });
  });

  test("another account's label cannot be claimed as a domain", async () => {
    const { cname_record } = await createShield(testApp, stranger);
    const answer = await create(owner, { domain: cname_record });
    expect([answer.statusCode, answer.json().code]).toEqual([422, "domain_in_use"]);
  });

  test("fields that no caller may set are ignored", async () => {
    const server = await createShield(testApp, owner, {
      id: stranger.id,
      status: "blocked",
      owner_id: stranger.id,
      revision: 99,
      role: "member",
    });
    expect(server).toMatchObject({ status: "active", role: "owner" });
    expect(server.id).not.toBe(stranger.id);
  });

  test("the same Idempotency-Key creates one shield", async () => {
    const body = await shieldBody(testApp, owner);
    const options = { token: owner.token, body, headers: { "idempotency-key": "creation-1" } };
    const first = await call(testApp, routes.servers.createServer, options);
    const second = await call(testApp, routes.servers.createServer, options);
    expect(second.statusCode).toBe(201);
    expect(second.json()).toEqual(first.json());
  });

  test("outside development private backends are refused, unless the operator allows them", async () => {
    const strict = await createTestApp({
      sharing: testApp,
      config: { development: false, privateBackends: ["10.0.0.0/8"] },
    });
    try {
      const attempt = async (real_ip: string) =>
        call(strict, routes.servers.createServer, {
          token: owner.token,
          body: { ...(await shieldBody(testApp, owner)), real_ip },
        });
      for (const real_ip of ["127.0.0.1", "192.168.0.1", "::ffff:127.0.0.1", "db.internal"]) {
        const answer = await attempt(real_ip);
        expect(answer.statusCode).toBe(422);
        expect(answer.json().issues).toMatchObject([{ path: "real_ip", code: "real_ip.private" }]);
      }
      expect((await attempt("10.9.9.9")).statusCode).toBe(201);
    } finally {
      await strict.close();
    }
  });

  test("ports of other services are refused with the field's name, and nothing is bought", async () => {
    const body = await shieldBody(testApp, owner);
    for (const real_port of [25, 80, 1_023, 3_306]) {
      const answer = await call(testApp, routes.servers.createServer, {
        token: owner.token,
        body: { ...body, real_port },
      });
      expect([real_port, answer.statusCode]).toEqual([real_port, 422]);
      expect(answer.json().issues).toMatchObject([
        { path: "real_port", code: "real_port.refused" },
      ]);
    }
    const open = await createTestApp({
      sharing: testApp,
      config: { backendPorts: { allowed: [{ first: 80, last: 80 }], refused: [] } },
    });
    try {
      const answer = await call(open, routes.servers.createServer, {
        token: owner.token,
        body: { ...body, real_port: 80 },
      });
      expect(answer.statusCode).toBe(201);
    } finally {
      await open.close();
    }
  });

  test("our own edges are no backends, however they are spelled", async () => {
    const staff = await createStaff(testApp);
    await enrolEdge(testApp, staff, {
      name: "spelled",
      addresses: ["8.8.4.4", "2001:4860:4860:0:0:0:0:8844"],
    });
    const strict = await createTestApp({ sharing: testApp, config: { development: false } });
    try {
      const attempt = async (real_ip: string) =>
        call(strict, routes.servers.createServer, {
          token: owner.token,
          body: { ...(await shieldBody(testApp, owner)), real_ip },
        });
      for (const real_ip of [
        "8.8.4.4",
        "::ffff:8.8.4.4",
        "::FFFF:0808:0404",
        "2001:4860:4860::8844",
        "2001:4860:4860::0:8844",
        "abcdefghijkl.gs.localhost",
      ]) {
        const answer = await attempt(real_ip);
        expect([real_ip, answer.statusCode]).toEqual([real_ip, 422]);
        expect(answer.json().issues).toMatchObject([{ path: "real_ip", code: "real_ip.private" }]);
      }
      for (const real_ip of ["008.8.4.4", "8.8.1028", "0x08080404"]) {
        expect((await attempt(real_ip)).json().issues).toMatchObject([
          { path: "real_ip", code: "real_ip.invalid" },
        ]);
      }
      const { server } = (await attempt("2001:4860:4860::0008:8888")).json();
      const stored = await testApp.platform.db
        .selectFrom("backends")
        .innerJoin("backend_groups", "backend_groups.id", "backends.group_id")
        .select("host")
        .where("shield_id", "=", server.id)
        .execute();
      expect(stored).toEqual([{ host: "2001:4860:4860::8:8888" }]);
    } finally {
      await strict.close();
    }
  });

  test("an account has at most so many free shields, also when asked for in parallel", async () => {
    const hoarder = await createUser(testApp);
    const { db } = testApp.platform;
    // As many more as allowed: an account holds no more unused labels than shields.
    await createShield(testApp, hoarder);
    const bodies = [];
    for (let index = 0; index < freeShieldsMax; index += 1) {
      bodies.push(await shieldBody(testApp, hoarder));
    }
    // The calls wait for each other. A busy machine refuses those that wait for seconds, and nothing
    // of them is done: they are sent again.
    const create = (body: object) =>
      until(
        async () => {
          const answer = await call(testApp, routes.servers.createServer, {
            token: hoarder.token,
            body,
          });
          return answer.statusCode !== 503 && answer;
        },
        { capMs: 100_000, what: "an answer of the api when it is less busy" },
      );
    const answers = await Promise.all(bodies.map(create));
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(freeShieldsMax - 1);
    expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(1);
    const owned = await db
      .selectFrom("shields")
      .select("id")
      .where("owner_id", "=", hoarder.id)
      .execute();
    expect(owned).toHaveLength(freeShieldsMax);

    // Deleting them frees no place before they are gone for good: their labels stay taken.
    await db
      .updateTable("shields")
      .set({ status: "deleted", deleted_at: testApp.clock.now() })
      .where("owner_id", "=", hoarder.id)
      .execute();
    const body = bodies.find((_body, index) => answers[index]?.statusCode === 409);
    const again = () =>
      call(testApp, routes.servers.createServer, { token: hoarder.token, body: body ?? {} });
    expect((await again()).json().code).toBe("plan_unavailable");
    await db
      .updateTable("shields")
      .set({ deleted_at: new Date(testApp.clock.now().getTime() - restorableDays * 86_400_000) })
      .where("owner_id", "=", hoarder.id)
      .execute();
    expect((await again()).statusCode).toBe(201);
  });
});

describe("reading shields", () => {
  test("lists owned and shared ones with both shapes of figures, newest first", async () => {
    const user = await createUser(testApp);
    const shared = await createShield(testApp, owner, { server_name: "Shared" });
    await addMember(testApp, shared.id, user);
    testApp.clock.advance(1_000);
    await createShield(testApp, user, { server_name: "Second" });
    testApp.clock.advance(1_000);
    await createShield(testApp, user, { server_name: "Third" });
    const list = async (query: Record<string, string>) => {
      const answer = await call(testApp, routes.servers.listServers, { token: user.token, query });
      return routes.servers.listServers.response.parse(answer.json());
    };
    const page = await list({ per_page: "2" });
    expect(page.data.map(({ server_name, role }) => [server_name, role])).toEqual([
      ["Third", "owner"],
      ["Second", "owner"],
    ]);
    expect(page.meta).toEqual({ current_page: 1, per_page: 2, last_page: 2, total: 3 });
    expect(page).toMatchObject(page.meta);
    expect((await list({ per_page: "2", page: "2" })).data).toMatchObject([
      { server_name: "Shared", role: "member", domain: "mc.example.com", players_online: 0 },
    ]);
    expect((await list({ page: "9" })).data).toEqual([]);
    expect((await list({ status: "blocked" })).total).toBe(0);
    expect(page.data[0]?.players_history).toHaveLength(24);
  });

  test.each(["0", "-1", "1e309", "1.5", "x", "99999999999"])("page %s is 422", async (page) => {
    const answer = await call(testApp, routes.servers.listServers, {
      token: owner.token,
      query: { page },
    });
    expect(answer.statusCode).toBe(422);
  });

  test("a stranger's shield is 404 everywhere; the owner's deleted one 410 for 14 days, then 404", async () => {
    const server = await createShield(testApp, owner);
    const params = { id: server.id };
    const definitions = [
      routes.servers.getServer,
      routes.servers.getOverview,
      routes.servers.getPropagation,
      routes.firewall.getFirewall,
      routes.serverMessages.getServerMessages,
      routes.mitigation.getMitigation,
      routes.attacks.listAttacks,
      routes.logs.listLogEntries,
    ];
    const statuses = async (token: string) => {
      const answers = await Promise.all(
        definitions.map((definition) => call(testApp, definition, { token, params })),
      );
      return new Set(answers.map(({ statusCode }) => statusCode));
    };
    const member = await createUser(testApp);
    await addMember(testApp, server.id, member);
    expect(await statuses(stranger.token)).toEqual(new Set([404]));
    expect(await statuses(owner.token)).toEqual(new Set([200]));
    expect(await statuses(member.token)).toEqual(new Set([200]));
    const deletedAt = testApp.clock.now();
    await testApp.platform.db
      .updateTable("shields")
      .set({ status: "deleted", deleted_at: deletedAt })
      .where("id", "=", server.id)
      .execute();
    expect(await statuses(owner.token)).toEqual(new Set([410]));
    expect(await statuses(member.token)).toEqual(new Set([404]));
    await testApp.platform.db
      .updateTable("shields")
      .set({ deleted_at: new Date(deletedAt.getTime() - 14 * 86_400_000) })
      .where("id", "=", server.id)
      .execute();
    expect(await statuses(owner.token)).toEqual(new Set([404]));
  });
});
