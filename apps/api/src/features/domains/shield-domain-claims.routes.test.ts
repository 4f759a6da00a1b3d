import { routes } from "@palisade/contract/http/routes";
import type { FakeZone } from "@palisade/testing/fake-zone";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "#src/platform/database/ids.ts";
import type { TestApp } from "#src/test-support/test-app.ts";
import { alias } from "#src/test-support/test-doctor.ts";
import { domainCalls, freshDomain, createDomainFixture } from "#src/test-support/test-domains.ts";
import { addMember } from "#src/test-support/test-shields.ts";
import { createUser, type TestUser } from "#src/test-support/test-users.ts";

const { addDomain } = routes.shieldDomains;

let testApp: TestApp;
let zone: FakeZone;
let owner: TestUser;
let rival: TestUser;

const { shieldOf, as, tryAdd, add, check, addProven, list, remove, restore, routed, namesOf } =
  domainCalls(() => ({ testApp, zone }));

beforeAll(async () => {
  ({ testApp, zone } = await createDomainFixture());
});
afterAll(async () => {
  await testApp?.close();
  await zone?.close();
});
beforeEach(async () => {
  owner = await createUser(testApp);
  rival = await createUser(testApp);
  zone.records = [];
  zone.faults = {};
});

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

  test("held by another account is refused while they prove it; proving it moves it", async () => {
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

  test("any typed text is a normalised claim or refused, never an error", async () => {
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

describe("a wildcard", () => {
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
    // Members may manage the domain, not claim it for another shield.
    expect((await tryAdd(rival, other.id, parent.domain)).json().code).toBe("domain_in_use");
  });
});
