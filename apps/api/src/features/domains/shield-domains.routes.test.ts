import { configSchemaVersion } from "@palisade/contract/edge/shield-config";
import type { RouteDefinition } from "@palisade/contract/http/route";
import { routes } from "@palisade/contract/http/routes";
import { startFakeZone, type FakeRecord, type FakeZone } from "@palisade/testing/fake-zone";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "#src/platform/ids.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  addMember,
  createShield,
  enrolEdge,
  planIdOf,
  type PlanSlug,
} from "#src/test-support/test-shields.ts";
import {
  call,
  createStaff,
  createUser,
  openSession,
  type CallOptions,
  type TestUser,
} from "#src/test-support/test-users.ts";
import { reclaimDomains } from "./domains.service.ts";

const {
  addDomain,
  checkShieldDomain,
  getDomainSetup,
  listDomains,
  removeDomain,
  restoreDomain,
  updateDomain,
} = routes.shieldDomains;

let testApp: TestApp;
let zone: FakeZone;
let owner: TestUser;
let rival: TestUser;

/** As in production: only proven domains are routed. */
beforeAll(async () => {
  zone = await startFakeZone();
  testApp = await createTestApp({ config: { development: false, dnsResolvers: [zone.address] } });
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
});
afterAll(async () => {
  await testApp.close();
  await zone.close();
});
beforeEach(async () => {
  owner = await createUser(testApp);
  rival = await createUser(testApp);
  zone.records = [];
  zone.troubles = {};
});

let serial = 0;
const freshDomain = (): string => `own${++serial}.example.test`;
const alias = (name: string, value: string): FakeRecord => ({ type: "CNAME", name, value });

/** A shield on a plan with room, without any domain. */
async function shieldOf(user: TestUser, plan: PlanSlug = "plus") {
  const { db } = testApp.platform;
  const changes = { real_ip: "93.184.216.34", domain: freshDomain() };
  const { id, cname_record: cname } = await createShield(testApp, user, changes);
  const pricing_plan_id = await planIdOf(testApp, plan);
  await db.updateTable("shields").set({ pricing_plan_id }).where("id", "=", id).execute();
  await db.deleteFrom("shield_domains").where("shield_id", "=", id).execute();
  return { id, cname };
}

const as = (user: TestUser, route: RouteDefinition, asked: CallOptions) =>
  call(testApp, route, { token: user.token, ...asked });

const tryAdd = (user: TestUser, id: string, domain: string, headers = {}) =>
  as(user, addDomain, { params: { id }, body: { domain }, headers });

async function add(user: TestUser, id: string, domain: string) {
  const answer = await tryAdd(user, id, domain);
  expect(answer.statusCode, answer.body).toBe(201);
  return addDomain.response.parse(answer.json());
}

async function check(user: TestUser, id: string, domainId: string) {
  const answer = await as(user, checkShieldDomain, { params: { id, domainId } });
  expect(answer.statusCode, answer.body).toBe(200);
  return checkShieldDomain.response.parse(answer.json());
}

/** Added, its record made, looked at. */
async function addProven(user: TestUser, shield: { id: string; cname: string }, name: string) {
  const { domain } = await add(user, shield.id, name);
  zone.records = [...zone.records.filter((each) => each.name !== name), alias(name, shield.cname)];
  expect((await check(user, shield.id, domain.id)).domain.status).toBe("setup_finished");
  return domain;
}

async function list(user: TestUser, id: string) {
  return listDomains.response.parse((await as(user, listDomains, { params: { id } })).json());
}

const remove = (user: TestUser, id: string, domainId: string) =>
  as(user, removeDomain, { params: { id, domainId } });
const restore = (user: TestUser, id: string, domainId: string) =>
  as(user, restoreDomain, { params: { id, domainId } });

/** Names as edges have them. */
async function routed(shieldId: string): Promise<{ name: string; group_id: string | null }[]> {
  const { config } = await testApp.platform.db
    .selectFrom("shield_configs")
    .where("schema", "=", configSchemaVersion)
    .select("config")
    .where("shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
  return JSON.parse(config).domains;
}
const namesOf = async (shieldId: string) => (await routed(shieldId)).map(({ name }) => name);

describe("POST /servers/{id}/domains", () => {
  test("stores the normal form; players are led by it once its record is there", async () => {
    const shield = await shieldOf(owner);
    const { domain, message } = await add(owner, shield.id, " Игра.РФ. ");
    expect(message).toBe("Domain added successfully");
    expect(domain).toMatchObject({
      domain: "xn--80afo7a.xn--p1ai",
      status: "setup_pending",
      group_id: null,
      verified_at: null,
    });
    expect(Date.parse(domain.ends_at ?? "") - Date.parse(domain.created_at)).toBe(7 * 86_400_000);
    expect(await routed(shield.id)).toEqual([]);
    zone.records = [alias(domain.domain, shield.cname)];
    const { dns, domain: proven, revision } = await check(owner, shield.id, domain.id);
    expect(dns.verified).toBe(true);
    expect(proven).toMatchObject({ status: "setup_finished", ends_at: null });
    expect(revision).toBe(3);
    expect(await namesOf(shield.id)).toEqual([domain.domain]);
    expect(await list(owner, shield.id)).toMatchObject({
      domains: [proven],
      cname_record: shield.cname,
      domains_max: 5,
      groups: [{ name: "Default", default: true }],
    });
  });

  test("is looked at in the background like those of the wizard", async () => {
    const shield = await shieldOf(owner);
    const { domain } = await add(owner, shield.id, freshDomain());
    zone.records = [alias(domain.domain, shield.cname)];
    const { db, jobs } = testApp.platform;
    await db.transaction().execute((trx) => jobs.send(trx, "domains.check", {}));
    await expect
      .poll(async () => (await list(owner, shield.id)).domains[0]?.status, { timeout: 30_000 })
      .toBe("setup_finished");
  });

  test("refuses what is none in the words of the specification", async () => {
    const { id } = await shieldOf(owner);
    const said = async (domain: unknown) => {
      const answer = await as(owner, addDomain, { params: { id }, body: { domain } });
      expect(answer.statusCode).toBe(422);
      return answer.json().issues[0].message;
    };
    expect(await said("")).toBe("Domain is required");
    expect(await said(undefined)).toBe("Domain is required");
    expect(await said("nope")).toBe("Enter a valid domain (play.example.com)");
    expect(await said(`${"a".repeat(300)}.com`)).toBe("Domain must not exceed 255 characters");
    expect(await said("router.internal")).toBe("The domain field format is invalid.");
  });

  test("a name twice is refused; one that was removed can be added again", async () => {
    const shield = await shieldOf(owner);
    const { domain } = await add(owner, shield.id, freshDomain());
    const again = await tryAdd(owner, shield.id, domain.domain.toUpperCase());
    expect(again.json()).toMatchObject({ code: "domain_exists", issues: [{ path: "domain" }] });
    await remove(owner, shield.id, domain.id);
    const anew = await add(owner, shield.id, domain.domain);
    expect(anew.domain.id).not.toBe(domain.id);
    expect((await restore(owner, shield.id, domain.id)).statusCode).toBe(404);
  });

  test("one's own, added again while its deletion could be taken back, is proven still", async () => {
    const shield = await shieldOf(owner);
    const { domain: name, id } = await addProven(owner, shield, freshDomain());
    await remove(owner, shield.id, id);
    const { domain: anew } = await add(owner, shield.id, name);
    expect(anew.status).toBe("setup_finished");
    expect(await namesOf(shield.id)).toEqual([name]);
    await remove(owner, shield.id, anew.id);
    testApp.clock.advance(601_000);
    expect((await add(owner, shield.id, name)).domain.status).toBe("setup_pending");
  });

  test("many at once, each with its key, look at DNS without keeping others from the database", async () => {
    const theirs = await shieldOf(rival);
    const { domain: name } = await addProven(rival, theirs, freshDomain());
    const { id } = await shieldOf(owner);
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => tryAdd(owner, id, name, { "idempotency-key": newId() })),
    );
    expect(new Set(answers.map((answer) => answer.json().code))).toEqual(
      new Set(["domain_in_use"]),
    );
  });

  test("the plan's number is the most there can be, also of two at once and after an undo", async () => {
    const shield = await shieldOf(owner, "free");
    const both = await Promise.all([1, 2].map(() => tryAdd(owner, shield.id, freshDomain())));
    expect(both.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 403]);
    const refused = both.find(({ statusCode }) => statusCode === 403);
    expect(refused?.json()).toMatchObject({
      code: "plan_limit",
      message: "Your plan includes 1 domains. Change the plan to add more",
    });
    const [first] = (await list(owner, shield.id)).domains;
    await remove(owner, shield.id, first?.id ?? "");
    await add(owner, shield.id, freshDomain());
    expect((await restore(owner, shield.id, first?.id ?? "")).json().code).toBe("plan_limit");
  });

  test("of somebody else is refused while they prove it; who proves it instead takes it (55)", async () => {
    const theirs = await shieldOf(rival);
    const { domain: name } = await addProven(rival, theirs, freshDomain());
    const mine = await shieldOf(owner);
    expect((await tryAdd(owner, mine.id, name)).json()).toMatchObject({
      code: "domain_in_use",
      message: "This domain is already in use",
    });
    zone.records = [alias(name, mine.cname)];
    const { domain } = await add(owner, mine.id, name);
    expect(await namesOf(mine.id)).toEqual([]);
    expect((await check(owner, mine.id, domain.id)).domain.status).toBe("setup_finished");
    expect(await namesOf(mine.id)).toEqual([name]);
    expect(await namesOf(theirs.id)).toEqual([]);
    expect((await list(rival, theirs.id)).domains).toMatchObject([{ status: "setup_pending" }]);
  });

  test("a look before the addition counts: it is proven at once", async () => {
    const shield = await shieldOf(owner);
    const domain = freshDomain();
    zone.records = [alias(domain, shield.cname)];
    const body = { domain, cname_record: shield.cname };
    await as(owner, routes.domains.checkCname, { body });
    expect((await add(owner, shield.id, domain)).domain.status).toBe("setup_finished");
    expect(await namesOf(shield.id)).toEqual([domain]);
  });

  test("whatever is typed is a claim in normal form or refused, never a fault (57)", async () => {
    const { id } = await shieldOf(owner, "network");
    const labels = fc.array(
      fc.oneof(
        fc.string({ maxLength: 12, unit: "binary" }),
        fc.constantFrom("*", "xn--80ak6aa92e", "рф"),
      ),
      { minLength: 1, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(labels, async (parts) => {
        const { statusCode } = await tryAdd(owner, id, `${parts.join(".")}.example.test`);
        expect([201, 422, 403]).toContain(statusCode);
      }),
      { numRuns: 40 },
    );
    for (const { domain } of (await list(owner, id)).domains) {
      expect(domain).toMatch(/^(\*\.)?([a-z0-9-]+\.)+[a-z0-9-]+$/);
    }
  });
});

describe("a wildcard (57)", () => {
  test("needs its parent proven, is proven by TXT, and is compiled", async () => {
    const shield = await shieldOf(owner);
    const parent = freshDomain();
    const refused = await tryAdd(owner, shield.id, `*.${parent}`);
    expect(refused.json().issues).toMatchObject([
      { path: "domain", code: "domain.parent_unproven" },
    ]);
    const body = { domain: parent, cname_record: shield.cname };
    const look = () => as(owner, routes.domains.checkCname, { body });
    const { alternatives } = routes.domains.checkCname.response.parse((await look()).json());
    const txt = alternatives.find(({ type }) => type === "TXT");
    zone.records = [{ type: "TXT", name: txt?.name ?? "", value: txt?.value ?? "" }];
    expect((await look()).json().verified).toBe(true);
    const { domain } = await add(owner, shield.id, `*.${parent}`);
    expect(domain.status).toBe("setup_pending");
    expect((await check(owner, shield.id, domain.id)).domain.status).toBe("setup_finished");
    expect(await namesOf(shield.id)).toEqual([`*.${parent}`]);
  });

  test("is proven by its parent's CNAME as well", async () => {
    const shield = await shieldOf(owner);
    const parent = await addProven(owner, shield, freshDomain());
    const { domain } = await add(owner, shield.id, `*.${parent.domain}`);
    expect((await check(owner, shield.id, domain.id)).domain.status).toBe("setup_finished");
  });

  test("is open to members of the shield whose owner has proven the parent", async () => {
    const shield = await shieldOf(owner);
    const parent = await addProven(owner, shield, freshDomain());
    await addMember(testApp, shield.id, rival);
    await add(rival, shield.id, `*.${parent.domain}`);
    const other = await shieldOf(rival);
    // What they may manage is not theirs to claim elsewhere.
    expect((await tryAdd(rival, other.id, parent.domain)).json().code).toBe("domain_in_use");
  });
});

describe("GET /servers/{id}/domains/{domainId}/setup", () => {
  async function setup(user: TestUser, id: string, domainId: string, query = {}) {
    const answer = await as(user, getDomainSetup, { params: { id, domainId }, query });
    expect(answer.statusCode, answer.body).toBe(200);
    return getDomainSetup.response.parse(answer.json());
  }

  test("names every part of the records, and what DNS says of them", async () => {
    const shield = await shieldOf(owner);
    const { domain } = await add(owner, shield.id, freshDomain());
    zone.records = [alias(domain.domain, "elsewhere.example.org")];
    const { setup_info: info, dns } = await setup(owner, shield.id, domain.id);
    expect(info.cname_record).toEqual({ name: domain.domain, value: shield.cname });
    expect(info.srv_record).toEqual({
      name: `_minecraft._tcp.${domain.domain}`,
      value: `0 5 25565 ${shield.cname}`,
      parts: {
        service: "_minecraft",
        protocol: "_tcp",
        name: domain.domain,
        priority: 0,
        weight: 5,
        port: 25_565,
        target: shield.cname,
      },
    });
    expect(info.txt_record).toMatchObject({ name: `_palisade.${domain.domain}` });
    expect(dns).toMatchObject({
      verified: false,
      diagnosis: { code: "points_elsewhere", message: "The record points somewhere else" },
      found: [{ type: "CNAME", value: "elsewhere.example.org" }],
    });
  });

  test("each of the three records proves it", async () => {
    for (const type of ["cname_record", "srv_record", "txt_record"] as const) {
      const shield = await shieldOf(owner);
      const { domain } = await add(owner, shield.id, freshDomain());
      const { setup_info: info } = await setup(owner, shield.id, domain.id, { look: "false" });
      const record = info[type];
      const kind = { cname_record: "CNAME", srv_record: "SRV", txt_record: "TXT" } as const;
      zone.records = [{ type: kind[type], name: record?.name ?? "", value: record?.value ?? "" }];
      expect((await check(owner, shield.id, domain.id)).dns.verified, type).toBe(true);
    }
  });

  test("a wildcard has no SRV record; the proof stands at its parent", async () => {
    const shield = await shieldOf(owner);
    const parent = await addProven(owner, shield, freshDomain());
    const { domain } = await add(owner, shield.id, `*.${parent.domain}`);
    const { setup_info: info } = await setup(owner, shield.id, domain.id);
    expect(info.srv_record).toBeNull();
    expect(info.cname_record).toEqual({ name: `*.${parent.domain}`, value: shield.cname });
    expect(info.txt_record.name).toBe(`_palisade.${parent.domain}`);
  });

  test("does not ask DNS where it is told not to; a resolver that fails is unknown (58)", async () => {
    const shield = await shieldOf(owner);
    const { domain } = await add(owner, shield.id, freshDomain());
    const asked = () => zone.asked.filter(({ name }) => name === domain.domain).length;
    const before = asked();
    expect((await setup(owner, shield.id, domain.id, { look: "false" })).dns).toBeNull();
    expect(asked()).toBe(before);
    zone.troubles = { "*": "servfail" };
    const { dns } = await setup(owner, shield.id, domain.id);
    expect(dns?.diagnosis.code).toBe("unknown");
    expect((await check(owner, shield.id, domain.id)).dns.verified).toBe(false);
  });
});

describe("a removed domain", () => {
  test("is routed no more at once, and comes back as it was", async () => {
    const shield = await shieldOf(owner);
    const domain = await addProven(owner, shield, freshDomain());
    const removed = removeDomain.response.parse((await remove(owner, shield.id, domain.id)).json());
    expect(removed.message).toBe("Domain deleted successfully");
    expect(Date.parse(removed.restorable_until)).toBe(testApp.clock.now().getTime() + 600_000);
    expect(await routed(shield.id)).toEqual([]);
    expect((await list(owner, shield.id)).domains).toEqual([]);
    expect((await remove(owner, shield.id, domain.id)).statusCode).toBe(404);
    const both = await Promise.all([1, 2].map(() => restore(owner, shield.id, domain.id)));
    expect(both.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(await namesOf(shield.id)).toEqual([domain.domain]);
    expect((await list(owner, shield.id)).domains).toMatchObject([{ status: "setup_finished" }]);
  });

  test("cannot be restored after 10 minutes, and is then forgotten", async () => {
    const shield = await shieldOf(owner);
    const domain = await addProven(owner, shield, freshDomain());
    await remove(owner, shield.id, domain.id);
    testApp.clock.advance(601_000);
    expect((await restore(owner, shield.id, domain.id)).statusCode).toBe(404);
    const { db, jobs } = testApp.platform;
    await db.transaction().execute((trx) => jobs.send(trx, "domains.expire", {}));
    const rows = () =>
      db.selectFrom("shield_domains").select("id").where("id", "=", domain.id).execute();
    await expect.poll(async () => (await rows()).length, { timeout: 30_000 }).toBe(0);
  });

  test("is free for others at once; who has proven it meanwhile keeps it from the undo (55)", async () => {
    const mine = await shieldOf(owner);
    const domain = await addProven(owner, mine, freshDomain());
    await remove(owner, mine.id, domain.id);
    const theirs = await shieldOf(rival);
    await addProven(rival, theirs, domain.domain);
    const refused = await restore(owner, mine.id, domain.id);
    expect(refused.json().code).toBe("domain_in_use");
    expect(await namesOf(theirs.id)).toEqual([domain.domain]);
    expect(await routed(mine.id)).toEqual([]);
  });

  test("undo against another's proof, at once: one has it, and edges hear of that one only (55)", async () => {
    for (let round = 0; round < 3; round += 1) {
      const mine = await shieldOf(owner);
      const theirs = await shieldOf(rival);
      const domain = await addProven(owner, mine, freshDomain());
      await remove(owner, mine.id, domain.id);
      const { domain: claimed } = await add(rival, theirs.id, domain.domain);
      zone.records = [alias(domain.domain, theirs.cname)];
      const checked = as(rival, checkShieldDomain, {
        params: { id: theirs.id, domainId: claimed.id },
      });
      const answers = await Promise.all([restore(owner, mine.id, domain.id), checked]);
      for (const { statusCode } of answers) expect([200, 422]).toContain(statusCode);
      const holders = [await namesOf(mine.id), await namesOf(theirs.id)];
      expect(holders).toEqual([[], [domain.domain]]);
    }
  });

  test("no longer opens the names below it", async () => {
    const shield = await shieldOf(owner);
    const parent = await addProven(owner, shield, freshDomain());
    await remove(owner, shield.id, parent.id);
    expect((await tryAdd(owner, shield.id, `*.${parent.domain}`)).statusCode).toBe(422);
  });
});

describe("who may", () => {
  test("members manage domains as owners do (35)", async () => {
    const shield = await shieldOf(owner);
    await addMember(testApp, shield.id, rival);
    const domain = await addProven(rival, shield, freshDomain());
    expect((await list(rival, shield.id)).domains).toHaveLength(1);
    expect((await remove(rival, shield.id, domain.id)).statusCode).toBe(200);
    expect((await restore(rival, shield.id, domain.id)).statusCode).toBe(200);
  });

  test("a domain of another shield does not exist, nor does another's group (34)", async () => {
    const theirs = await shieldOf(rival);
    const foreign = await addProven(rival, theirs, freshDomain());
    const mine = await shieldOf(owner);
    const own = await addProven(owner, mine, freshDomain());
    for (const domainId of [foreign.id, newId()]) {
      const params = { id: mine.id, domainId };
      const answers = [
        await as(owner, updateDomain, { params, body: { group_id: null } }),
        await as(owner, removeDomain, { params }),
        await as(owner, restoreDomain, { params }),
        await as(owner, getDomainSetup, { params }),
        await as(owner, checkShieldDomain, { params }),
      ];
      for (const { statusCode } of answers) expect(statusCode).toBe(404);
    }
    const group_id = (await list(rival, theirs.id)).groups[0]?.id;
    const params = { id: mine.id, domainId: own.id };
    expect((await as(owner, updateDomain, { params, body: { group_id } })).statusCode).toBe(404);
    expect(await namesOf(theirs.id)).toEqual([foreign.domain]);
  });

  test("a sub-user takes no domain from a shield of the owner that is not shared (28)", async () => {
    const shared = await shieldOf(owner);
    const other = await shieldOf(owner);
    await addMember(testApp, shared.id, rival);
    const name = freshDomain();
    const early = await add(rival, shared.id, name);
    await addProven(owner, other, name);
    const params = { id: shared.id, domainId: early.domain.id };
    const setup = await as(owner, getDomainSetup, { params, query: { look: "false" } });
    const { txt_record: txt } = getDomainSetup.response.parse(setup.json()).setup_info;
    zone.records = [...zone.records, { type: "TXT", ...txt }];

    expect((await as(rival, checkShieldDomain, { params })).json().code).toBe("domain_in_use");
    const claim = { domain: name, cname_record: shared.cname };
    const claimed = await as(rival, routes.domains.checkCname, { body: claim });
    expect(claimed.json().code).toBe("domain_in_use");
    await remove(rival, shared.id, early.domain.id);
    expect((await tryAdd(rival, shared.id, name)).json().code).toBe("domain_in_use");
    expect(await namesOf(other.id)).toEqual([name]);

    // Whoever belongs to both may move it.
    await addMember(testApp, other.id, rival);
    const again = await add(rival, shared.id, name);
    await check(rival, shared.id, again.domain.id);
    expect(await namesOf(other.id)).toEqual([]);
    expect(await namesOf(shared.id)).toEqual([name]);
  });

  test("an expired shield's domains are read, and not changed", async () => {
    const shield = await shieldOf(owner);
    const domain = await addProven(owner, shield, freshDomain());
    const { db } = testApp.platform;
    await db
      .updateTable("shields")
      .set({ status: "expired" })
      .where("id", "=", shield.id)
      .execute();
    expect((await list(owner, shield.id)).domains).toHaveLength(1);
    const params = { id: shield.id, domainId: domain.id };
    for (const answer of [
      await tryAdd(owner, shield.id, freshDomain()),
      await as(owner, removeDomain, { params }),
      await as(owner, checkShieldDomain, { params }),
      await as(owner, updateDomain, { params, body: { group_id: null } }),
    ]) {
      expect(answer.json().code).toBe("server_not_active");
    }
  });
});

describe("where a domain's players go", () => {
  test("is a Minecraft group of the shield, or none; edges hear of it", async () => {
    const shield = await shieldOf(owner);
    const domain = await addProven(owner, shield, freshDomain());
    const { db } = testApp.platform;
    const group = {
      id: newId(),
      shield_id: shield.id,
      name: "Lobby",
      balancing: "random",
      proxy_protocol: false,
      is_default: false,
      created_at: testApp.clock.now(),
    } as const;
    const other = { ...group, id: newId(), name: "Voice", game: "other", port: 31_000 } as const;
    await db.insertInto("backend_groups").values([group, other]).execute();
    const params = { id: shield.id, domainId: domain.id };
    const lead = (group_id: string | null) =>
      as(owner, updateDomain, { params, body: { group_id } });
    expect((await lead(group.id)).json().domain.group_id).toBe(group.id);
    expect(await routed(shield.id)).toMatchObject([{ group_id: group.id }]);
    expect((await list(owner, shield.id)).groups.map(({ name }) => name)).toEqual([
      "Default",
      "Lobby",
    ]);
    expect((await lead(other.id)).json().issues[0].code).toBe("domain.group_game");
    expect((await lead(null)).statusCode).toBe(200);
    expect(await routed(shield.id)).toMatchObject([{ group_id: null }]);
  });
});

describe("a deleted shield", () => {
  test("blocks nobody, and gets back what nobody has proven meanwhile", async () => {
    const { db } = testApp.platform;
    const mine = await shieldOf(owner);
    const lost = await addProven(owner, mine, freshDomain());
    const kept = await addProven(owner, mine, freshDomain());
    const { domain: late } = await add(owner, mine.id, freshDomain());
    const setStatus = (status: "active" | "deleted") => {
      const deleted_at = status === "deleted" ? testApp.clock.now() : null;
      const change = db.updateTable("shields").set({ status, deleted_at });
      return change.where("id", "=", mine.id).execute();
    };
    await setStatus("deleted");
    const theirs = await shieldOf(rival);
    await addProven(rival, theirs, lost.domain);
    testApp.clock.advance(10 * 86_400_000);
    await setStatus("active");
    const now = testApp.clock.now();
    await db.transaction().execute((trx) => reclaimDomains(trx, mine.id, now));
    const user = { ...owner, token: await openSession(testApp, owner) };
    const { domains } = await list(user, mine.id);
    expect(domains.map(({ domain, status }) => [domain, status])).toEqual([
      [lost.domain, "setup_pending"],
      [kept.domain, "setup_finished"],
      [late.domain, "setup_pending"],
    ]);
    for (const { ends_at } of domains.filter(({ status }) => status === "setup_pending")) {
      expect(Date.parse(ends_at ?? "")).toBe(now.getTime() + 7 * 86_400_000);
    }
  });
});
