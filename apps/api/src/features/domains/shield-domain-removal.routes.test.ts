import { routes } from "@palisade/contract/http/routes";
import type { FakeZone } from "@palisade/testing/fake-zone";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TestApp } from "#src/test-support/test-app.ts";
import { alias } from "#src/test-support/test-doctor.ts";
import { domainCalls, freshDomain, createDomainFixture } from "#src/test-support/test-domains.ts";
import { createUser, openSession, type TestUser } from "#src/test-support/test-users.ts";
import { reclaimDomains } from "./domains.service.ts";

const { checkShieldDomain, removeDomain } = routes.shieldDomains;

let testApp: TestApp;
let zone: FakeZone;
let owner: TestUser;
let rival: TestUser;

const { shieldOf, as, tryAdd, add, addProven, list, remove, restore, routed, namesOf } =
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

  test("is free for others at once; an account that proves it since keeps it from the undo", async () => {
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

  test("undo and another account's proof at once: one of them gets it, and edges route only that one", async () => {
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

describe("a deleted shield", () => {
  test("a deleted domain blocks no other claim, and comes back if no other account has proven it since", async () => {
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
