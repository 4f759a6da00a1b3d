import { locales } from "@palisade/contract/texts/render";
import { startFakeZone, type FakeZone } from "@palisade/testing/fake-zone";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { deriveKeys } from "#src/platform/security/derived-key.ts";
import { newId } from "#src/platform/database/ids.ts";
import { layoutMail } from "#src/platform/mail/layout.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createShield, enrolEdge } from "#src/test-support/test-shields.ts";
import { createStaff, createUser, mailsTo, type TestUser } from "#src/test-support/test-users.ts";
import { createDnsLookup } from "./dns-lookup.ts";
import { domainMails } from "./domain-mails.ts";
import {
  domainNotices,
  domainWatch,
  unseenLooks,
  type DomainWatchDeps,
} from "./domain-watch.jobs.ts";
import { domainChecks, domainExpiry, type DomainJobsDeps } from "./domains.jobs.ts";
import { claimLifeMs } from "./domains.service.ts";

const hourMs = 3_600_000;

let testApp: TestApp;
let zone: FakeZone;
let owner: TestUser;
let deps: DomainJobsDeps & DomainWatchDeps;

beforeAll(async () => {
  zone = await startFakeZone();
  testApp = await createTestApp();
  const { db, clock, bus, failpoint, config, log, mailer } = testApp.platform;
  // The tests say when: the schedule's own runs would look in between.
  await sql`delete from jobs.schedule`.execute(db);
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
  deps = {
    db,
    clock,
    log,
    mailer,
    zone: config.zone,
    anyName: true,
    proofKeys: deriveKeys(config, "domain proof"),
    javaPort: () => 25_565,
    writes: createShieldWrites({
      clock: testApp.clock,
      bus,
      failpoint,
      allowUnproven: false,
      cookieSecret: Buffer.alloc(32),
      discordInviteUrl: undefined,
    }),
    lookup: createDnsLookup({
      resolvers: [zone.address],
      zone: config.zone,
      zoneServer: () => undefined,
      tellsPrivate: true,
      timeoutMs: 5_000,
      deadlineMs: 30_000,
      limits: { perKind: { wizard: 100, doctor: 100, job: 100 }, perUser: 100, waitingPerUser: 0 },
    }),
  };
});
afterAll(async () => {
  await testApp.close();
  await zone.close();
});
beforeEach(async () => {
  zone.records = [];
  zone.faults = {};
  await testApp.platform.db.deleteFrom("domain_proofs").execute();
  await testApp.platform.db.deleteFrom("shield_domains").execute();
  owner = await createUser(testApp);
});

let serial = 0;

async function createProven(user = owner, domain = `watch${++serial}.example.test`) {
  const { id, cname_record: cname } = await createShield(testApp, user, { domain });
  zone.records = [{ type: "CNAME", name: domain, value: cname }];
  await domainChecks(deps).run({});
  return { id, cname, domain };
}

function stateOf(shieldId: string) {
  return testApp.platform.db
    .selectFrom("shield_domains")
    .select(["verified_at", "unseen_since", "expired_at", "notice"])
    .where("shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
}

/** Subjects of what the owner was told, beyond the mail of their registration. */
async function told(user: TestUser, count: number): Promise<string[]> {
  await domainNotices(deps).run({});
  const subjects = async () =>
    (await mailsTo(testApp, user.email))
      .map(({ subject }) => subject)
      .filter((subject) => subject.includes("example.test"));
  await expect.poll(async () => (await subjects()).length, { timeout: 30_000 }).toBe(count);
  return subjects();
}

async function watchFor(hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour += 1) {
    testApp.clock.advance(hourMs);
    await domainWatch(deps).run({});
  }
}

describe("a proven domain", () => {
  test("is checked once a day; its owner gets one mail when its record is gone, and it stays routed", async () => {
    const shield = await createProven();
    const questions = () =>
      zone.asked.filter(({ name, type }) => name === shield.domain && type === "A").length;
    await domainWatch(deps).run({});
    const before = questions();
    await watchFor(23);
    expect(questions()).toBe(before);
    zone.records = [];
    await watchFor(unseenLooks - 1);
    expect(await stateOf(shield.id)).toMatchObject({ unseen_since: null, notice: null });
    await watchFor(1);
    const gone = await stateOf(shield.id);
    expect(gone.verified_at).not.toBeNull();
    expect(gone.unseen_since).toEqual(testApp.clock.now());
    await watchFor(3);
    expect(await told(owner, 1)).toEqual([
      expect.stringContaining("no longer leads to your Game Shield"),
    ]);
    zone.records = [{ type: "CNAME", name: shield.domain, value: shield.cname }];
    await watchFor(1);
    expect((await stateOf(shield.id)).unseen_since).toBeNull();
  });

  test("is checked in one run, however many are due", async () => {
    const { id: shield_id } = await createProven();
    const { db, clock } = testApp.platform;
    const created_at = clock.now();
    const many = Array.from({ length: 450 }, (_, n) => {
      const name = `many${n}.example.test`;
      return { id: newId(), shield_id, name, created_at, verified_at: created_at };
    });
    await db.insertInto("shield_domains").values(many).execute();
    await domainWatch(deps).run({});
    const left = await db
      .selectFrom("shield_domains")
      .select("name")
      .where((is) =>
        is.or([is("next_check_at", "is", null), is("next_check_at", "<=", clock.now())]),
      )
      .execute();
    expect(left).toEqual([]);
  });

  test("stays set up while every resolver fails", async () => {
    const shield = await createProven();
    zone.faults = { "*": "servfail" };
    await watchFor(30);
    expect(await stateOf(shield.id)).toMatchObject({ unseen_since: null, notice: null });
  });
});

describe("the owner is told", () => {
  test("when another account has proven the domain, and not when they moved it themselves", async () => {
    const rival = await createUser(testApp);
    const domain = `moved${++serial}.example.test`;
    const theirs = await createShield(testApp, rival, { domain });
    const mine = await createProven(owner, domain);
    zone.records = [{ type: "CNAME", name: domain, value: theirs.cname_record }];
    testApp.clock.advance(2 * hourMs);
    await domainChecks(deps).run({});
    expect((await stateOf(mine.id)).verified_at).toBeNull();
    expect(await told(owner, 1)).toEqual([
      expect.stringContaining("now belongs to another Game Shield"),
    ]);
    expect(await told(rival, 0)).toEqual([]);
  });

  test("when a claim has ended unproven", async () => {
    const domain = `late${++serial}.example.test`;
    const { id } = await createShield(testApp, owner, { domain });
    testApp.clock.advance(claimLifeMs);
    await domainExpiry(deps).run({});
    expect((await stateOf(id)).expired_at).not.toBeNull();
    expect(await told(owner, 1)).toEqual([`${domain} is not set up`]);
    expect(await told(owner, 1)).toHaveLength(1);
  });
});

describe.each(Object.entries(domainMails))("%s", (_, template) => {
  const letterhead = {
    operator: { name: "Operator", address: "Street 1, Town", email: "operator@example.com" },
    consoleOrigin: () => "https://palisade.example",
  };

  test.each(locales)("says which domain of which shield, and leads there (%s)", (locale) => {
    const content = template.render(locale, template.sample);
    const { subject, text, html } = layoutMail(locale, content, letterhead);
    for (const said of ["play.example.com", "Skyline", "/domains"]) {
      expect(text).toContain(said);
      expect(html).toContain(said);
    }
    expect(subject).not.toMatch(/[\r\n{}]/);
    const long = template.render(locale, { ...template.sample, domain: `${"a".repeat(200)}.com` });
    expect(long.subject.length).toBeLessThan(80);
    expect(/[а-яё]/i.test(content.heading)).toBe(locale === "ru");
    expect(content.caution?.text).toBeTruthy();
  });
});
