import { randomUUID } from "node:crypto";
import type { AttackReport, TelemetryReport } from "@palisade/contract/edge/telemetry";
import { routes } from "@palisade/contract/http/routes";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Trx } from "#src/platform/database/db.ts";
import { asOwner, queryPlan } from "#src/test-support/query-plan.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  addMember,
  createShield,
  enrolEdge,
  type TestEdge,
} from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";
import { closeSilentAttacks, recordAttacks } from "./attack-reports.service.ts";
import { selectAttacksNear } from "./attack-parts.repository.ts";
import { deleteOldParts } from "./attack-ends.repository.ts";
import { emptyReport } from "#src/test-support/test-telemetry.ts";

let testApp: TestApp;
let staff: TestUser;
let owner: TestUser;
let shieldId: string;
let one: Source;
let two: Source;

/** An edge since its start. */
interface Source {
  readonly edge: TestEdge;
  readonly bootId: string;
  seq: number;
}

const starting = (edge: TestEdge): Source => ({ edge, bootId: randomUUID(), seq: 0 });

beforeAll(async () => {
  testApp = await createTestApp();
  // Edges and the database tell real time.
  testApp.clock.set(new Date());
  // The tests say when: the schedule's own runs would look in between.
  await sql`delete from jobs.schedule`.execute(testApp.platform.db);
  staff = await createStaff(testApp);
  one = starting(await enrolEdge(testApp, staff, { name: "one" }));
  two = starting(await enrolEdge(testApp, staff, { name: "two" }));
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  owner = await createUser(testApp);
  shieldId = (await createShield(testApp, owner)).id;
});

const ago = (seconds: number) => new Date(testApp.clock.nowMs() - seconds * 1_000).toISOString();

function attack(changes: Partial<AttackReport> = {}): AttackReport {
  return {
    id: randomUUID(),
    shield_id: shieldId,
    started_at: ago(60),
    ended_at: null,
    peak_per_second: 100,
    sources: 10,
    refused: { rate: 5 },
    relaxed_to: null,
    ...changes,
  };
}

function report(source: Source, attacks: readonly AttackReport[]): TelemetryReport {
  source.seq += 1;
  return { boot_id: source.bootId, seq: source.seq, ...emptyReport, attacks: [...attacks] };
}

async function send(source: Source, body: TelemetryReport, app = testApp): Promise<void> {
  const answer = await call(app, routes.edge.telemetry, { token: source.edge.credential, body });
  expect([answer.statusCode, answer.statusCode === 200 ? "" : answer.body]).toEqual([200, ""]);
}

const tell = (source: Source, ...attacks: readonly AttackReport[]) =>
  send(source, report(source, attacks));

/** The same as sending it, but for the way there. */
const record = ({ edge }: Source, body: TelemetryReport) =>
  testApp.platform.db
    .transaction()
    .execute((trx) => recordAttacks(trx, edge.id, { ...body, isFirst: false }, body.attacks));

async function list(cursor?: string, user = owner, id = shieldId) {
  const query = cursor === undefined ? {} : { cursor };
  const answer = await call(testApp, routes.attacks.listAttacks, {
    token: user.token,
    params: { id },
    query,
  });
  expect(answer.statusCode).toBe(200);
  return routes.attacks.listAttacks.response.parse(answer.json());
}

async function events(): Promise<string[]> {
  const { rows } = await sql<{ kind: string; attack_id: string }>`
    select kind, attack_id from attack_events join attacks on attacks.id = attack_id
    where shield_id = ${shieldId} order by attacks.started_at, kind
  `.execute(testApp.platform.db);
  expect(new Set(rows.map(({ kind, attack_id }) => kind + attack_id)).size).toBe(rows.length);
  return rows.map(({ kind }) => kind);
}

const once = ["started", "stopped"];

async function isUnderAttack(): Promise<boolean[]> {
  const { token } = owner;
  const params = { id: shieldId };
  const overview = await call(testApp, routes.servers.getOverview, { token, params });
  const servers = await call(testApp, routes.servers.listServers, { token });
  return [
    routes.servers.getOverview.response.parse(overview.json()).under_attack,
    ...routes.servers.listServers.response
      .parse(servers.json())
      .data.map(({ under_attack }) => under_attack),
  ];
}

/** As if the edges had been silent for so long. */
async function pass(seconds: number): Promise<void> {
  await sql`
    update attack_parts set heard_at = heard_at - make_interval(secs => ${seconds}),
      missed_at = missed_at - make_interval(secs => ${seconds})
  `.execute(testApp.platform.db);
}

const look = () => closeSilentAttacks(testApp.platform.db);

/** After the last word of an attack, until its end is told. */
async function rest(): Promise<void> {
  await pass(46);
  await look();
}

describe("an attack", () => {
  test("lasts from its first edge's start to its last edge's end; figures are put together", async () => {
    const first = attack({ refused: { rate: 5, vpn: 1 }, relaxed_to: "high" });
    const second = attack({
      started_at: ago(50),
      peak_per_second: 30,
      sources: 40,
      refused: { rate: 2 },
      relaxed_to: "low",
    });
    expect(await isUnderAttack()).toEqual([false, false]);
    await tell(one, first);
    await tell(two, second);
    expect(await isUnderAttack()).toEqual([true, true]);
    expect(await events()).toEqual(["relaxed", "started"]);
    await tell(one, { ...first, ended_at: ago(20) });
    expect(await isUnderAttack()).toEqual([true, true]);
    await tell(two, { ...second, ended_at: ago(10) });
    expect(await isUnderAttack()).toEqual([false, false]);
    await look();
    expect(await events()).toEqual(["relaxed", "started"]);
    await rest();
    expect((await list()).data).toEqual([
      {
        id: expect.any(String),
        started_at: first.started_at,
        ended_at: ago(10),
        peak_per_second: 130,
        datagrams_peak: 0,
        sources: 40,
        refused: { rate: 7, vpn: 1 },
        edges: 2,
        relaxed_to: "low",
      },
    ]);
    expect(await events()).toEqual(["relaxed", ...once]);
  });

  test("is told once to have begun and once to be over, by two edges at once on two replicas, repeated and out of order", async () => {
    const replica = await createTestApp({ sharing: testApp });
    try {
      const mine = attack();
      const theirs = attack();
      const reports = (
        [
          [one, mine],
          [two, theirs],
        ] as const
      ).flatMap(([source, given]) =>
        [given, given, { ...given, ended_at: ago(5) }].map((state) => ({
          source,
          body: report(source, [state]),
        })),
      );
      await Promise.all(
        [...reports, ...reports.toReversed()].map(({ source, body }, index) =>
          send(source, body, index % 2 === 0 ? testApp : replica),
        ),
      );
      expect((await list()).data).toMatchObject([{ ended_at: ago(5), edges: 2 }]);
      await rest();
      expect(await events()).toEqual(once);
    } finally {
      await replica.close();
    }
  });

  test("comes to the same in whichever order reports arrive, and however often", async () => {
    // One edge has it twice, the other once, in between; each tells it three times.
    const spans = [
      { source: one, from: 100, to: 70 },
      { source: two, from: 80, to: 50 },
      { source: one, from: 60, to: 40 },
    ];
    const tellings = [0, 1, 2, 0, 1, 2, 0, 1, 2];
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(tellings.map((_, index) => index)), async (order) => {
        shieldId = (await createShield(testApp, owner)).id;
        const reports = spans.flatMap(({ source, from, to }) => {
          const given = attack({ started_at: ago(from) });
          return [1, 2, 3].map((count) => ({
            source,
            body: report(source, [
              { ...given, refused: { rate: count }, ended_at: count === 3 ? ago(to) : null },
            ]),
          }));
        });
        // The last word of each is repeated until it is answered; others may be lost.
        const ends = reports.filter((_, index) => index % 3 === 2);
        const some = order.flatMap((index) => reports[index] ?? []);
        for (const { source, body } of [...some, ...ends]) await record(source, body);
        await rest();
        expect((await list()).data).toMatchObject([
          { started_at: ago(100), ended_at: ago(40), refused: { rate: 9 }, edges: 2 },
        ]);
        expect(await events()).toEqual(once);
      }),
      { numRuns: 8 },
    );
  });

  test("that a late report says lasts stays ended", async () => {
    const given = attack();
    const late = report(one, [given]);
    await tell(one, { ...given, ended_at: ago(5), peak_per_second: 300 });
    await send(one, late);
    await rest();
    expect((await list()).data).toMatchObject([{ ended_at: ago(5), peak_per_second: 300 }]);
    expect(await events()).toEqual(once);
  });

  test("is told to be relaxed when that becomes known, and no more once its end was told", async () => {
    await tell(one, attack({ relaxed_to: "high" }));
    const { rows } = await sql<{ isLater: boolean }>`
      select at > started_at as "isLater"
      from attack_events join attacks on attacks.id = attack_id
      where shield_id = ${shieldId} and kind = 'relaxed'
    `.execute(testApp.platform.db);
    expect(rows).toEqual([{ isLater: true }]);
    shieldId = (await createShield(testApp, owner)).id;
    await tell(one, attack({ ended_at: ago(20) }));
    await rest();
    await tell(two, attack({ ended_at: ago(30), relaxed_to: "low" }));
    expect((await list()).data).toMatchObject([{ edges: 2, relaxed_to: "low" }]);
    expect(await events()).toEqual(once);
  });

  test("that begins anew before its end was told goes on; told to be over, it is another one", async () => {
    const given = attack({ ended_at: ago(30) });
    const anew = attack({ started_at: ago(10), ended_at: ago(8) });
    await tell(one, given);
    await tell(one, given, anew);
    expect((await list()).data).toMatchObject([{ started_at: ago(60), ended_at: ago(8) }]);
    await rest();
    await tell(one, attack({ started_at: ago(5) }));
    expect((await list()).data.map(({ ended_at }) => ended_at)).toEqual([null, ago(8)]);
    expect(await events()).toEqual(["started", "stopped", "started"]);
  });

  test("is one over a restart of its edge, which ends it in order, or not at all", async () => {
    const given = attack();
    await tell(one, { ...given, ended_at: ago(20) });
    const restarted = { ...one, bootId: randomUUID(), seq: 0 };
    const seenAgain = attack({ started_at: ago(15) });
    await tell(restarted, seenAgain);
    expect(await isUnderAttack()).toEqual([true, true]);
    // Killed: only the third start shows that what the second start saw has ended.
    const third = { ...one, bootId: randomUUID(), seq: 0 };
    await tell(third);
    expect(await isUnderAttack()).toEqual([false, false]);
    await tell(third, attack({ started_at: ago(5) }));
    expect(await isUnderAttack()).toEqual([true, true]);
    await tell({ ...one, bootId: randomUUID(), seq: 0 });
    await rest();
    expect((await list()).data).toMatchObject([{ started_at: ago(60), edges: 1 }]);
    expect(await isUnderAttack()).toEqual([false, false]);
    expect(await events()).toEqual(once);
  });

  test("and the next one are two, also where an outage brings both in one report", async () => {
    const first = attack({ started_at: ago(900) });
    await tell(one, first);
    await tell(
      one,
      { ...first, ended_at: ago(600) },
      attack({ started_at: ago(300), ended_at: ago(200) }),
      attack({ started_at: ago(30) }),
    );
    expect((await list()).data.map(({ ended_at }) => ended_at)).toEqual([null, ago(200), ago(600)]);
    expect(await events()).toEqual([...once, ...once, "started"]);
  });

  test("one that started before another that lasts is over at once", async () => {
    await tell(one, attack({ started_at: ago(60) }));
    await tell(two, attack({ started_at: ago(900), ended_at: ago(600) }));
    expect((await list()).data.map(({ ended_at }) => ended_at)).toEqual([null, ago(600)]);
    expect(await events()).toEqual([...once, "started"]);
  });

  test("a shield never has two that are not over: the database enforces it", async () => {
    const { db } = testApp.platform;
    await tell(one, attack({ ended_at: ago(1) }));
    const second = sql`
      insert into attacks (id, shield_id, started_at) values (gen_random_uuid(), ${shieldId}, now())
    `.execute(db);
    await expect(second).rejects.toMatchObject({ constraint: "attacks_open_shield" });
    await rest();
    await tell(one, attack());
    expect(await isUnderAttack()).toEqual([true, true]);
  });
});

describe("an edge that is heard no more", () => {
  test("ends its attack at its last word, seen silent twice; the other's goes on", async () => {
    const theirs = attack();
    await tell(one, attack());
    await tell(two, theirs);
    await pass(31);
    await tell(two, theirs);
    await look();
    await look();
    expect(await isUnderAttack()).toEqual([true, true]);
    await pass(60);
    await tell(two, theirs);
    await look();
    await tell(two, { ...theirs, ended_at: ago(1) });
    await rest();
    expect((await list()).data).toMatchObject([{ ended_at: ago(1), edges: 2 }]);
    expect(await events()).toEqual(once);
  });

  test("an edge is not taken for gone while the api or the database was away and could hear no edge", async () => {
    const given = attack();
    await tell(one, given);
    await pass(600);
    await look();
    await pass(600);
    await look();
    await tell(one, given);
    await pass(60);
    await look();
    expect(await isUnderAttack()).toEqual([true, true]);
    expect(await events()).toEqual(["started"]);
  });

  test("started again without the attack: it is over; heard of again after all: another one", async () => {
    const given = attack({ started_at: ago(300), refused: { rate: 5 } });
    await tell(one, given);
    await tell({ ...one, bootId: randomUUID() });
    await pass(31);
    await look();
    await pass(60);
    await look();
    expect(await isUnderAttack()).toEqual([false, false]);
    expect(await events()).toEqual(once);
    await tell(one, { ...given, refused: { rate: 12 } });
    await tell(one, { ...given, refused: { rate: 14 } });
    const { data } = await list();
    expect(data.map(({ refused }) => refused)).toEqual([{ rate: 9 }, { rate: 5 }]);
    expect(data[0]?.ended_at).toBeNull();
    expect(await events()).toEqual(["started", "stopped", "started"]);
    await tell(one, { ...given, refused: { rate: 14 }, ended_at: ago(0) });
    await rest();
    expect(await events()).toEqual([...once, ...once]);
    expect(await isUnderAttack()).toEqual([false, false]);
  });
});

describe("the list of attacks", () => {
  test("an edge tells those of its own location only, and at times that can be", async () => {
    const name = `abroad-${shieldId.slice(-12)}`;
    const abroad = starting(await enrolEdge(testApp, staff, { name, location: "frankfurt" }));
    await tell(abroad, attack(), attack({ shield_id: randomUUID() }));
    await tell(
      one,
      attack({ started_at: ago(-3_600) }),
      attack({ started_at: ago(40 * 86_400) }),
      attack({ started_at: ago(4 * 86_400), ended_at: ago(3 * 86_400) }),
    );
    expect((await list()).data).toEqual([]);
  });

  test("absurd figures do not break the sums", async () => {
    const absurd = {
      peak_per_second: Number.MAX_SAFE_INTEGER,
      refused: { rate: Number.MAX_SAFE_INTEGER },
    };
    const given = attack({ ...absurd, started_at: ago(-60), ended_at: ago(60) });
    await tell(one, given, { ...given, id: randomUUID() });
    expect((await list()).data).toMatchObject([{ peak_per_second: 2e12, refused: { rate: 2e12 } }]);
  });

  test("those on an edge as a whole are each edge's own, and no shield's", async () => {
    await tell(one, attack({ shield_id: null }));
    await tell(two, attack({ shield_id: null }));
    const rows = await testApp.platform.db
      .selectFrom("attacks")
      .select("edge_id")
      .where("shield_id", "is", null)
      .execute();
    expect(new Set(rows.map(({ edge_id }) => edge_id))).toEqual(
      new Set([one.edge.id, two.edge.id]),
    );
    expect((await list()).data).toEqual([]);
    expect(await isUnderAttack()).toEqual([false, false]);
    expect(await events()).toEqual([]);
  });

  test("pages follow each other without a gap, and are the shield's own", async () => {
    await sql`
      insert into attacks (id, shield_id, started_at, ended_at, is_over)
      select gen_random_uuid(), ${shieldId}, date_trunc('hour', now()) - n % 7 * interval '1 hour',
        now(), true
      from generate_series(1, 120) n
    `.execute(testApp.platform.db);
    const member = await createUser(testApp);
    await addMember(testApp, shieldId, member);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(cursor, member);
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect([seen.length, new Set(seen).size]).toEqual([120, 120]);
    const stranger = await createUser(testApp);
    const { id } = await createShield(testApp, stranger);
    const { next_cursor: foreign } = await list();
    expect((await list(foreign ?? "", stranger, id)).data).toEqual([]);
  });

  test("those of long ago cost a report nothing: each half of the question has its index", async () => {
    const { db } = testApp.platform;
    await sql`
      insert into attacks (id, shield_id, started_at, ended_at, is_over)
      select gen_random_uuid(), ${shieldId}, now() - n * interval '1 hour',
        now() - n * interval '1 hour' + interval '15 minutes', true
      from generate_series(1, 5000) n
    `.execute(db);
    await asOwner(testApp, (client) => client.query("analyze attacks"));
    const near = { shieldIds: [shieldId], edgeId: one.edge.id, partIds: [randomUUID()] };
    const plan = await queryPlan(testApp, (asked) =>
      selectAttacksNear(asked, { ...near, since: new Date(ago(60)) }),
    );
    expect(plan).not.toContain("Seq Scan on attacks");
    for (const index of ["attacks_open_", "attacks_ended_shield"]) {
      expect(plan).toContain(index);
    }
    // Told again, a part changes nothing that an index is made of.
    const given = attack();
    await tell(one, given);
    const again = report(one, [{ ...given, refused: { rate: 6 } }]);
    const hot = await db.transaction().execute(async (trx) => {
      const before = await hotUpdates(trx);
      await recordAttacks(trx, one.edge.id, { ...again, isFirst: false }, again.attacks);
      return (await hotUpdates(trx)) - before;
    });
    expect(hot).toBe(1);
  });

  test("parts, with course and sources, are forgotten 30 days after the end; the attack stays", async () => {
    const { db } = testApp.platform;
    await tell(one, attack({ ended_at: ago(1) }));
    await sql`update attacks set ended_at = ended_at - interval '31 days'
      where shield_id = ${shieldId}`.execute(db);
    await deleteOldParts(db);
    const { rows } = await sql`select 1 from attack_parts join attacks on attacks.id = attack_id
      where shield_id = ${shieldId}`.execute(db);
    expect(rows).toEqual([]);
    expect((await list()).data).toHaveLength(1);
  });
});

test.each(["attacks.list", "logs.entries"])("a made-up cursor of %s is 422", async (id) => {
  const route = id === "attacks.list" ? routes.attacks.listAttacks : routes.logs.listLogEntries;
  const made = (text: string) => Buffer.from(text).toString("base64url");
  const uuid = randomUUID();
  const cursors = ["", "0", "%00", "🛡", made("1.2"), made(`-1.${uuid}`), made(`1e309.${uuid}`)];
  for (const cursor of [...cursors, made(`99999999999999999.${uuid}`), made(`1.${uuid}' or 1=1`)]) {
    const answer = await call(testApp, route, {
      token: owner.token,
      params: { id: shieldId },
      query: { cursor },
    });
    expect([cursor, answer.statusCode, answer.json().issues?.[0]?.path]).toEqual([
      cursor,
      422,
      "cursor",
    ]);
  }
  const far = await call(testApp, route, {
    token: owner.token,
    params: { id: shieldId },
    query: { cursor: made(`99999999999999.${uuid}`) },
  });
  expect(far.statusCode).toBe(200);
});

/** Statements about attack parts on this connection; earlier ones may be among them. */
async function hotUpdates(trx: Trx): Promise<number> {
  const { rows } = await sql<{ hot: string }>`
    select n_tup_hot_upd as hot from pg_stat_xact_user_tables where relname = 'attack_parts'
  `.execute(trx);
  return Number(rows[0]?.hot);
}
