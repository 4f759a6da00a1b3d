import { routes } from "@palisade/contract/http/routes";
import type { FakeZone } from "@palisade/testing/fake-zone";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "#src/platform/database/ids.ts";
import type { TestApp } from "#src/test-support/test-app.ts";
import { alias } from "#src/test-support/test-doctor.ts";
import { domainCalls, freshDomain, createDomainFixture } from "#src/test-support/test-domains.ts";
import { addMember } from "#src/test-support/test-shields.ts";
import { createUser, type TestUser } from "#src/test-support/test-users.ts";

const { checkShieldDomain, getDomainSetup, removeDomain, restoreDomain, updateDomain } =
  routes.shieldDomains;

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

  test("does not ask DNS when look is false; a resolver that fails is unknown", async () => {
    const shield = await shieldOf(owner);
    const { domain } = await add(owner, shield.id, freshDomain());
    const asked = () => zone.asked.filter(({ name }) => name === domain.domain).length;
    const before = asked();
    expect((await setup(owner, shield.id, domain.id, { look: "false" })).dns).toBeNull();
    expect(asked()).toBe(before);
    zone.faults = { "*": "servfail" };
    const { dns } = await setup(owner, shield.id, domain.id);
    expect(dns?.diagnosis.code).toBe("unknown");
    expect((await check(owner, shield.id, domain.id)).dns.verified).toBe(false);
  });
});

describe("permissions", () => {
  test("members manage domains as owners do", async () => {
    const shield = await shieldOf(owner);
    await addMember(testApp, shield.id, rival);
    const domain = await addProven(rival, shield, freshDomain());
    expect((await list(rival, shield.id)).domains).toHaveLength(1);
    expect((await remove(rival, shield.id, domain.id)).statusCode).toBe(200);
    expect((await restore(rival, shield.id, domain.id)).statusCode).toBe(200);
  });

  test("a domain of another shield does not exist, nor does another's group", async () => {
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

  test("a sub-user takes no domain from a shield of the owner that is not shared", async () => {
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

    // An account that belongs to both shields may move it.
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

describe("the backend group of a domain", () => {
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
