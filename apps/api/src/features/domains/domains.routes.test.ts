import { configSchemaVersion } from "@palisade/contract/edge/shield-config";
import { routes } from "@palisade/contract/http/routes";
import type { DnsCheck } from "@palisade/contract/http/server-setup";
import { startFakeZone, type FakeRecord, type FakeZone } from "@palisade/testing/fake-zone";
import { until } from "@palisade/testing/until";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  createShield,
  enrolEdge,
  reserveCname,
  shieldBody,
} from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";
import { proofLifeMs } from "./domains.service.ts";

let testApp: TestApp;
let zone: FakeZone;
let owner: TestUser;
let rival: TestUser;

/** As in production: only proven domains are routed, backends are public. */
const publicBackend = { real_ip: "93.184.216.34" };

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
  zone.faults = {};
});

let serial = 0;
const freshDomain = (): string => `d${++serial}.example.test`;
const alias = (name: string, value: string): FakeRecord => ({ type: "CNAME", name, value });

function checkDomain(user: TestUser, domain: string, headers: Record<string, string> = {}) {
  const options = { token: user.token, body: { domain }, headers };
  return call(testApp, routes.domains.checkDomain, options);
}

function tryCheckCname(user: TestUser, domain: string, cname_record: string) {
  const options = { token: user.token, body: { domain, cname_record } };
  return call(testApp, routes.domains.checkCname, options);
}

async function checkCname(user: TestUser, domain: string, cname: string): Promise<DnsCheck> {
  const answer = await tryCheckCname(user, domain, cname);
  expect(answer.statusCode).toBe(200);
  return routes.domains.checkCname.response.parse(answer.json());
}

/** A label whose domain the user has had proven, and the body that buys the shield for it. */
async function prove(user: TestUser, domain: string) {
  const cname_record = await reserveCname(testApp, user);
  zone.records = [
    ...zone.records.filter(({ name }) => name !== domain),
    alias(domain, cname_record),
  ];
  expect((await checkCname(user, domain, cname_record)).verified).toBe(true);
  return { domain, cname_record, ...publicBackend };
}

async function tryCreate(user: TestUser, changes: Readonly<Record<string, unknown>>) {
  const body = { ...(await shieldBody(testApp, user)), ...publicBackend, ...changes };
  return call(testApp, routes.servers.createServer, { token: user.token, body });
}

/** Domains as edges have them. */
async function routed(shieldId: string): Promise<{ name: string; proven: boolean }[]> {
  const { config } = await testApp.platform.db
    .selectFrom("shield_configs")
    .where("schema", "=", configSchemaVersion)
    .select("config")
    .where("shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
  return JSON.parse(config).domains;
}

describe("POST /servers/check-domain", () => {
  test("answers the stored form, and refuses what is none in the words of the specification", async () => {
    expect((await checkDomain(owner, " Игра.РФ. ")).json()).toEqual({
      available: true,
      domain: "xn--80afo7a.xn--p1ai",
    });
    const refused = await checkDomain(owner, "nope");
    expect(refused.json().issues[0]).toMatchObject({
      path: "domain",
      message: "The domain field format is invalid.",
    });
  });

  test("a domain that another account has proven is in use, in the caller's language; the caller's own is not", async () => {
    const body = await prove(owner, freshDomain());
    await createShield(testApp, owner, body);
    const answer = await checkDomain(rival, ` ${body.domain.toUpperCase()}.`);
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      code: "domain_in_use",
      message: "This domain is already in use",
      issues: [{ path: "domain", message: "This domain is already in use" }],
    });
    const russian = await checkDomain(rival, body.domain, { "accept-language": "ru" });
    expect(russian.json().message).not.toBe("This domain is already in use");
    expect((await checkDomain(owner, body.domain)).statusCode).toBe(200);
  });

  test("another account's unproven claim does not block, and a failing resolver does not free", async () => {
    const domain = freshDomain();
    await createShield(testApp, owner, { ...publicBackend, domain });
    expect((await checkDomain(rival, domain)).statusCode).toBe(200);
    const body = await prove(owner, freshDomain());
    await createShield(testApp, owner, body);
    zone.records = [];
    zone.faults = { "*": "servfail" };
    expect((await checkDomain(rival, body.domain)).statusCode).toBe(422);
  });

  test("names of our own zone cannot be claimed", async () => {
    const label = await reserveCname(testApp, owner);
    for (const name of [label, `a.${label}`, "gs.localhost", "GS.Localhost."]) {
      expect((await checkDomain(rival, name)).json().code).toBe("domain_in_use");
      expect((await tryCheckCname(owner, name, label)).json().code).toBe("domain_in_use");
    }
  });

  test("a wildcard is open only to the account that has proven its parent", async () => {
    const { domain } = await prove(owner, freshDomain());
    expect((await checkDomain(owner, `*.${domain}`)).json().domain).toBe(`*.${domain}`);
    const refused = await checkDomain(rival, `*.${domain}`);
    expect(refused.statusCode).toBe(422);
    expect(refused.json().issues[0].code).toBe("domain.parent_unproven");
    for (const name of [
      "*.com",
      "*.*.example.test",
      "a.*.example.test",
      "*",
      "*.",
      "**.example.test",
    ]) {
      expect((await checkDomain(owner, name)).json().code).toBe("validation_failed");
    }
  });

  test("every spelling of a name is the same claim; a look-alike is another", async () => {
    const { domain } = await prove(owner, "xn--80afo7a.example.test");
    await createShield(testApp, owner, await prove(owner, domain));
    const caller = await createUser(testApp);
    const letters = fc.constantFrom("игра", "ИГРА", "иГрА", "xn--80afo7a", "XN--80AFO7A");
    const rest = fc.constantFrom(".example.test", ".EXAMPLE.test", ".ｅxample.test");
    const end = fc.constantFrom("", ".", " ");
    await fc.assert(
      fc.asyncProperty(letters, rest, end, async (...parts) => {
        const answer = await checkDomain(caller, parts.join(""));
        expect([parts.join(""), answer.statusCode]).toEqual([parts.join(""), 422]);
        expect(answer.json().code).toBe("domain_in_use");
      }),
      { numRuns: 40 },
    );
    // Latin `a` instead of Cyrillic, Greek omicron and other neighbours.
    for (const lookAlike of ["игрa.example.test", "игра.exаmple.test", "игра.example.tеst"]) {
      const answer = await checkDomain(caller, lookAlike);
      expect(answer.statusCode).toBe(200);
      expect(answer.json().domain).not.toBe(domain);
    }
  });
});

describe("POST /servers/check-cname", () => {
  test("answers what it found, what it expects and what it makes of it", async () => {
    const cname = await reserveCname(testApp, owner);
    const domain = freshDomain();
    zone.records = [alias(domain, "elsewhere.test")];
    expect(await checkCname(owner, domain, cname)).toEqual({
      verified: false,
      found: [{ type: "CNAME", name: domain, value: "elsewhere.test" }],
      expected: { type: "CNAME", name: domain, value: cname },
      alternatives: [
        { type: "SRV", name: `_minecraft._tcp.${domain}`, value: `0 5 25565 ${cname}` },
        { type: "TXT", name: `_palisade.${domain}`, value: expect.stringMatching(/^palisade-/) },
      ],
      diagnosis: { code: "points_elsewhere", message: "The record points somewhere else" },
    });
    zone.records = [alias(domain, cname)];
    expect((await checkCname(owner, domain.toUpperCase(), `${cname}.`)).diagnosis).toEqual({
      code: "verified",
      message: "CNAME record is correctly set up!",
    });
    zone.faults = { "*": "refused" };
    expect((await checkCname(owner, domain, cname)).diagnosis.code).toBe("unknown");
  });

  test("outside development reads nothing of the network the api is in", async () => {
    const cname = await reserveCname(testApp, owner);
    const inside = "postgres.default.svc.cluster.local";
    zone.records = [{ type: "A", name: inside, value: "10.0.0.5" }];
    const before = zone.asked.length;
    for (const name of [inside, "db.internal", `*.${inside}`, "printer.lan.", "nas.HOME.arpa"]) {
      for (const answer of [
        await tryCheckCname(owner, name, cname),
        await checkDomain(owner, name),
        await tryCreate(owner, { domain: name, cname_record: cname }),
      ]) {
        expect([name, answer.statusCode]).toEqual([name, 422]);
      }
    }
    expect(zone.asked).toHaveLength(before);
    // A public name that leads there tells as little.
    const domain = freshDomain();
    zone.records = [...zone.records, alias(domain, inside)];
    expect(await checkCname(owner, domain, cname)).toMatchObject({
      found: [],
      diagnosis: { code: "missing" },
    });
    expect(zone.asked.some(({ name }) => name === inside)).toBe(false);
    zone.records = [
      { type: "A", name: domain, value: "10.0.0.5" },
      { type: "A", name: domain, value: "169.254.169.254" },
      { type: "AAAA", name: domain, value: "fd00::5" },
      { type: "SRV", name: `_minecraft._tcp.${domain}`, value: `0 5 25565 ${inside}` },
    ];
    expect(await checkCname(owner, domain, cname)).toMatchObject({
      found: [],
      diagnosis: { code: "missing" },
    });
    zone.records = [{ type: "A", name: domain, value: "93.184.216.34" }];
    expect((await checkCname(owner, domain, cname)).diagnosis.code).toBe("addresses_only");
  });

  test("looks only for the caller's labels, and for none once the shield is deleted", async () => {
    const domain = freshDomain();
    const foreign = await reserveCname(testApp, rival);
    zone.records = [alias(domain, foreign)];
    const before = zone.asked.length;
    for (const label of [foreign, "aaaaaaaaaaaa.gs.localhost", "a\0b"]) {
      const answer = await tryCheckCname(owner, domain, label);
      expect([answer.statusCode, answer.json().code]).toEqual([422, "cname_not_reserved"]);
    }
    const own = await createShield(testApp, owner, { ...publicBackend, domain });
    await testApp.platform.db
      .updateTable("shields")
      .set({ status: "deleted", deleted_at: testApp.clock.now() })
      .where("id", "=", own.id)
      .execute();
    const answer = await tryCheckCname(owner, domain, own.cname_record);
    expect([answer.statusCode, answer.json().code]).toEqual([422, "cname_not_reserved"]);
    expect(zone.asked).toHaveLength(before);
  });

  test("a failed resolver takes no proof away", async () => {
    const body = await prove(owner, freshDomain());
    const shield = await createShield(testApp, owner, body);
    zone.faults = { "*": "servfail" };
    const check = await checkCname(owner, body.domain, body.cname_record);
    expect(check).toMatchObject({ verified: false, diagnosis: { code: "unknown" } });
    expect(await routed(shield.id)).toMatchObject([{ name: body.domain, proven: true }]);
  });
});

describe("a proof", () => {
  test("makes the new shield's domain proven; without one it is not routed in production", async () => {
    const proven = await createShield(testApp, owner, await prove(owner, freshDomain()));
    expect(await routed(proven.id)).toMatchObject([{ proven: true }]);
    const skipped = await createShield(testApp, owner, { ...publicBackend, domain: freshDomain() });
    expect(await routed(skipped.id)).toEqual([]);
  });

  test("counts for its label, its user and a day only", async () => {
    const body = await prove(owner, freshDomain());
    const other = { ...body, cname_record: await reserveCname(testApp, owner) };
    expect(await routed((await createShield(testApp, owner, other)).id)).toEqual([]);
    const late = await prove(owner, freshDomain());
    testApp.clock.advance(proofLifeMs);
    expect(await routed((await createShield(testApp, owner, late)).id)).toEqual([]);
  });

  test("that comes later is found by the job, where the check was skipped", async () => {
    const domain = freshDomain();
    const shield = await createShield(testApp, owner, { ...publicBackend, domain });
    zone.records = [alias(domain, shield.cname_record)];
    const { db, jobs } = testApp.platform;
    await db.transaction().execute((trx) => jobs.send(trx, "domains.check", {}));
    await until(async () => (await routed(shield.id))[0]?.proven);
  });

  test("for an existing shield counts at once, also where its claim had ended", async () => {
    const domain = freshDomain();
    const shield = await createShield(testApp, owner, { ...publicBackend, domain });
    await testApp.platform.db
      .updateTable("shield_domains")
      .set({ expired_at: testApp.clock.now() })
      .where("shield_id", "=", shield.id)
      .execute();
    zone.records = [alias(domain, shield.cname_record)];
    expect((await checkCname(owner, domain, shield.cname_record)).verified).toBe(true);
    expect(await routed(shield.id)).toMatchObject([{ name: domain, proven: true }]);
  });
});

/** Both users have a TXT record of their own there: the one proof takes nothing from the other. */
async function proveBoth(domain: string) {
  const claims = [];
  for (const user of [owner, rival]) {
    const cname_record = await reserveCname(testApp, user);
    const { alternatives } = await checkCname(user, domain, cname_record);
    claims.push({
      user,
      body: { domain, cname_record, ...publicBackend },
      txt: alternatives.filter(({ type }) => type === "TXT"),
    });
  }
  zone.records = claims.flatMap(({ txt }) => txt);
  for (const { user, body } of claims) {
    expect((await checkCname(user, domain, body.cname_record)).verified).toBe(true);
  }
  const [first, second] = claims;
  if (first === undefined || second === undefined) throw new Error("unreachable");
  return [first.body, second.body] as const;
}

describe("two tenants, one domain", () => {
  test("the proven claim routes, even if another account claimed the domain first", async () => {
    const domain = freshDomain();
    const earlier = await createShield(testApp, rival, { ...publicBackend, domain });
    const later = await createShield(testApp, owner, await prove(owner, domain));
    expect(await routed(earlier.id)).toEqual([]);
    expect(await routed(later.id)).toMatchObject([{ name: domain, proven: true }]);
  });

  test("an owner who has proven it keeps it while the proof holds: another's check and purchase are refused", async () => {
    const body = await prove(owner, freshDomain());
    const shield = await createShield(testApp, owner, body);
    const cname = await reserveCname(testApp, rival);
    const hint = await checkCname(rival, body.domain, cname);
    const txt = hint.alternatives.find(({ type }) => type === "TXT");
    // Both prove it: the CNAME is the owner's, the TXT record the rival's.
    zone.records = [alias(body.domain, body.cname_record), ...(txt === undefined ? [] : [txt])];
    const refused = await tryCheckCname(rival, body.domain, cname);
    expect([refused.statusCode, refused.json().code]).toEqual([422, "domain_in_use"]);
    const purchase = await tryCreate(rival, { domain: body.domain, cname_record: cname });
    expect([purchase.statusCode, purchase.json().code]).toEqual([422, "domain_in_use"]);
    expect(await routed(shield.id)).toMatchObject([{ proven: true }]);
  });

  test("an account that no longer proves a domain loses it only to one that does", async () => {
    const body = await prove(owner, freshDomain());
    const shield = await createShield(testApp, owner, body);
    // The domain was sold: its new owner has pointed it to their label.
    const cname = await reserveCname(testApp, rival);
    zone.records = [alias(body.domain, cname)];
    expect((await checkDomain(rival, body.domain)).statusCode).toBe(200);
    const blind = await tryCreate(rival, { domain: body.domain });
    expect(blind.json().code).toBe("domain_in_use");
    expect((await checkCname(rival, body.domain, cname)).verified).toBe(true);
    // A look alone does not take it away: until there is a shield for it, the old one routes.
    expect(await routed(shield.id)).toMatchObject([{ proven: true }]);
    const created = await tryCreate(rival, { domain: body.domain, cname_record: cname });
    expect(created.statusCode).toBe(201);
    expect(await routed(created.json().server.id)).toMatchObject([{ proven: true }]);
    expect(await routed(shield.id)).toEqual([]);
  });

  test("yesterday's proof takes nothing from the account that DNS names today, with a shield or without", async () => {
    const domain = freshDomain();
    const earlier = await prove(rival, domain);
    testApp.clock.advance(1_000);
    const current = await prove(owner, domain);
    const blind = await tryCreate(rival, earlier);
    expect(blind.statusCode).toBe(201);
    expect(await routed(blind.json().server.id)).toEqual([]);
    const created = await tryCreate(owner, current);
    expect(created.statusCode).toBe(201);
    expect(await routed(created.json().server.id)).toMatchObject([{ name: domain, proven: true }]);
  });

  test("a domain that came back is not bought away by the proof of the time between", async () => {
    const body = await prove(owner, freshDomain());
    const shield = await createShield(testApp, owner, body);
    const between = await prove(rival, body.domain);
    testApp.clock.advance(1_000);
    zone.records = [alias(body.domain, body.cname_record)];
    expect((await checkCname(owner, body.domain, body.cname_record)).verified).toBe(true);
    const purchase = await tryCreate(rival, between);
    expect([purchase.statusCode, purchase.json().code]).toEqual([422, "domain_in_use"]);
    expect(await routed(shield.id)).toMatchObject([{ proven: true }]);
  });

  test("a failed lookup takes no proof away", async () => {
    const domain = freshDomain();
    const [first, second] = await proveBoth(domain);
    // Only the CNAME can be read: what the other's TXT record says is not known.
    zone.records = [alias(domain, second.cname_record)];
    zone.faults = { [`_palisade.${domain}`]: "servfail" };
    testApp.clock.advance(1_000);
    expect((await checkCname(rival, domain, second.cname_record)).verified).toBe(true);
    const created = await tryCreate(owner, first);
    expect(await routed(created.json().server.id)).toMatchObject([{ proven: true }]);
  });

  test("one proof is kept when two come at once", async () => {
    const domain = freshDomain();
    const bodies = await proveBoth(domain);
    const answers = await Promise.all([tryCreate(owner, bodies[0]), tryCreate(rival, bodies[1])]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      201, 422,
    ]);
    const proven = await testApp.platform.db
      .selectFrom("shield_domains")
      .select("id")
      .where("name", "=", domain)
      .where("verified_at", "is not", null)
      .execute();
    expect(proven).toHaveLength(1);
  });

  test("one's own domain moves to the shield it now points to", async () => {
    const domain = freshDomain();
    const first = await createShield(testApp, owner, await prove(owner, domain));
    const second = await createShield(testApp, owner, await prove(owner, domain));
    expect(await routed(first.id)).toEqual([]);
    expect(await routed(second.id)).toMatchObject([{ name: domain, proven: true }]);
  });
});

describe("a deleted shield", () => {
  test("a deleted shield leaves its label to no other, and its domain to the account that proves it", async () => {
    const body = await prove(owner, freshDomain());
    const shield = await createShield(testApp, owner, body);
    await testApp.platform.db
      .updateTable("shields")
      .set({ status: "deleted", deleted_at: testApp.clock.now() })
      .where("id", "=", shield.id)
      .execute();
    // The CNAME is still there, pointing at a label that is no longer served.
    for (const user of [owner, rival]) {
      expect((await tryCheckCname(user, body.domain, body.cname_record)).json().code).toBe(
        "cname_not_reserved",
      );
      const { cname_record } = body;
      const answer = await tryCreate(user, { domain: freshDomain(), cname_record });
      expect(answer.json().code).toBe("cname_not_reserved");
    }
    const again = testApp.platform.db
      .insertInto("cname_reservations")
      .values({
        cname_record: body.cname_record,
        user_id: rival.id,
        shield_id: null,
        created_at: testApp.clock.now(),
      })
      .execute();
    await expect(again).rejects.toMatchObject({ code: "23505" });
    const next = await createShield(testApp, rival, await prove(rival, body.domain));
    expect(await routed(next.id)).toMatchObject([{ name: body.domain, proven: true }]);
  });
});
