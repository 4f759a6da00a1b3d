import { randomUUID } from "node:crypto";
import type { LoginEntry, TelemetryReport } from "@palisade/contract/edge/telemetry";
import { routes } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Db } from "#src/platform/database/db.ts";
import { asOwner, queryPlan } from "#src/test-support/query-plan.ts";
import { loginEntry } from "#src/test-support/login-entry.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  addMember,
  createShield,
  enrolEdge,
  planIdOf,
  type TestEdge,
} from "#src/test-support/test-shields.ts";
import { hold } from "#src/test-support/waiting.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";
import {
  deleteOldestLogins,
  selectPlans,
  selectShieldsWithOldLogins,
} from "./login-entries.repository.ts";
import { selectLogins, type LoginFilter } from "./log-search.repository.ts";
import { loginRetentionJob, loginPartitionsJob } from "./logs.jobs.ts";
import { emptyReport } from "#src/test-support/test-telemetry.ts";

let testApp: TestApp;
let staff: TestUser;
let owner: TestUser;
let edge: TestEdge;
let shieldId: string;
const bootId = randomUUID();
let seq = 0;

beforeAll(async () => {
  testApp = await createTestApp();
  testApp.clock.set(new Date());
  staff = await createStaff(testApp);
  edge = await enrolEdge(testApp, staff, { name: "fra-1" });
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  owner = await createUser(testApp);
  shieldId = (await createShield(testApp, owner)).id;
});

const hourMs = 3_600_000;
const dayOf = (hours: number) => ago(hours).slice(0, 10).replaceAll("-", "");
const ago = (hours: number) => new Date(testApp.clock.nowMs() - hours * hourMs).toISOString();

function login(changes: Partial<LoginEntry> = {}): LoginEntry {
  const host = "mc.example.com";
  return loginEntry({
    at: ago(0),
    shield_id: shieldId,
    host,
    facts: { limit: "20/s" },
    ...changes,
  });
}

function report(logins: readonly LoginEntry[]): TelemetryReport {
  seq += 1;
  return { boot_id: bootId, seq, ...emptyReport, logins: [...logins] };
}

async function send(body: TelemetryReport, from = edge): Promise<boolean> {
  const answer = await call(testApp, routes.edge.telemetry, { token: from.credential, body });
  expect([answer.statusCode, answer.statusCode === 200 ? "" : answer.body]).toEqual([200, ""]);
  return routes.edge.telemetry.response.parse(answer.json()).accepted;
}

const tell = (...logins: readonly LoginEntry[]) => send(report(logins));

async function entries(query: Record<string, string> = {}, user = owner, id = shieldId) {
  const answer = await call(testApp, routes.logs.listLogEntries, {
    token: user.token,
    params: { id },
    query,
  });
  expect([answer.statusCode, answer.statusCode === 200 ? "" : answer.body]).toEqual([200, ""]);
  return routes.logs.listLogEntries.response.parse(answer.json());
}

const playersOf = async (query: Record<string, string> = {}) =>
  (await entries(query)).data.map(({ player }) => player);

/** How the database answers the search for them. */
const planOf = (filter: LoginFilter) =>
  queryPlan(testApp, (db) =>
    selectLogins(db, shieldId, filter, { days: 30, before: undefined, limit: 101 }),
  );

describe("the log of logins", () => {
  test("has each login once and as reported, however often its report comes", async () => {
    const attempt = { score: 35, parts: { no_ping: 15, hosting_network: 20 } };
    const body = report([login({ verdict: "vpn", shadow: true, attempt })]);
    const accepted = await Promise.all([send(body), send(body), send(body)]);
    expect(accepted.filter(Boolean)).toHaveLength(1);
    expect(await entries()).toEqual({
      data: [
        {
          id: expect.any(String),
          at: ago(0),
          verdict: "vpn",
          shadow: true,
          would_challenge: null,
          suspicion: attempt,
          player: "Notch",
          ip: "203.0.113.7",
          edition: "java",
          version: "1.20.3-1.20.4",
          protocol: 765,
          host: "mc.example.com",
          edge: "fra-1",
          trace: "7K3M9QXW",
          facts: { limit: "20/s" },
          reason: "The address belongs to a VPN, proxy or data center",
          country: null,
          network: null,
        },
      ],
      next_cursor: null,
      days: 7,
      addresses: true,
      places: false,
    });
  });

  test("is searched by verdict, player (in any case), address (in any spelling) and trace", async () => {
    await tell(
      login({ player: "Ann", verdict: "rate", trace: "AAAAAAAA", at: ago(3) }),
      login({ player: "Bob", ip: "2001:db8::1", at: ago(2) }),
      login({ player: "Cy", verdict: "rate", protocol: -1, at: ago(1) }),
    );
    expect(await playersOf()).toEqual(["Cy", "Bob", "Ann"]);
    expect(await playersOf({ verdict: "rate" })).toEqual(["Cy", "Ann"]);
    expect(await playersOf({ player: "bOB" })).toEqual(["Bob"]);
    expect(await playersOf({ ip: "2001:0DB8:0::1" })).toEqual(["Bob"]);
    expect(await playersOf({ trace: "aaaaaaaa" })).toEqual(["Ann"]);
    expect(await playersOf({ trace: "AAAAAAAA", verdict: "joined" })).toEqual([]);
    expect((await entries({ player: "cy" })).data[0]?.version).toBeNull();
  });

  test("has pages without a gap, also across days and within a millisecond", async () => {
    const hours = [0, 0, 0, 23, 25, 40];
    await tell(
      ...Array.from({ length: 260 }, (_, index) => login({ at: ago(hours[index % 6] ?? 0) })),
    );
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await entries(cursor === undefined ? {} : { cursor: cursor ?? "" });
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect([seen.length, new Set(seen).size]).toEqual([260, 260]);
  });

  test("never shows logins of another shield, whatever cursor and filter is sent", async () => {
    await tell(...Array.from({ length: 101 }, () => login()));
    const member = await createUser(testApp);
    await addMember(testApp, shieldId, member);
    const { data, next_cursor: cursor } = await entries({}, member);
    expect(data).toHaveLength(100);
    const stranger = await createUser(testApp);
    const { id } = await createShield(testApp, stranger);
    for (const query of [{ cursor: cursor ?? "" }, { trace: "7K3M9QXW" }, { player: "Notch" }]) {
      expect((await entries(query, stranger, id)).data).toEqual([]);
    }
  });

  test("takes logins only from an edge at the shield's location, and only with possible times", async () => {
    const name = `abroad-${shieldId.slice(-12)}`;
    const abroad = await enrolEdge(testApp, staff, { name, location: "frankfurt" });
    await send(report([login(), login({ shield_id: randomUUID() })]), abroad);
    await tell(login({ at: ago(-1) }), login({ at: ago(49) }), login({ at: ago(24 * 400) }));
    expect(await playersOf()).toEqual([]);
  });

  test("stores a hostile login without losing the report", async () => {
    const hostile = "a\0b\u{d800}\u202e";
    await tell(
      login({ player: hostile, host: hostile, facts: { [hostile]: hostile } }),
      login({ player: "Good" }),
    );
    expect((await playersOf()).toSorted()).toEqual(["Good", "a?b??"]);
  });

  test("limits the facts of a login, in the call and in the table", async () => {
    const facts = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, n) => [String(n).padEnd(32, '"'), '"'.repeat(64)]),
      );
    await tell(login({ facts: facts(16) }));
    expect((await entries()).data[0]?.facts).toEqual(facts(16));
    const body = report([login({ facts: facts(17) })]);
    const answer = await call(testApp, routes.edge.telemetry, { token: edge.credential, body });
    expect(answer.statusCode).toBe(422);
    const update = sql`
      update login_entries set facts = jsonb_build_object('a', repeat('b', 4096))
      where shield_id = ${shieldId}
    `.execute(testApp.platform.db);
    await expect(update).rejects.toMatchObject({ constraint: "login_entries_facts" });
  });

  test("is searched by an index for every filter, also with many logins", async () => {
    const { db } = testApp.platform;
    await sql`
      insert into login_entries (id, shield_id, at, edge_id, verdict, shadow, player, ip, protocol,
        host, trace, facts)
      select gen_random_uuid(), ${shieldId}::uuid, now() - n * interval '6 seconds', ${edge.id}::uuid,
        'rate', false, 'Bot' || n, '198.51.100.0'::inet + n % 250, 765, '',
        lpad(n::text, 8, '0'), '{}'
      from generate_series(1, 20000) n
    `.execute(db);
    await tell(login({ trace: "7K3M9QXW", at: ago(30) }));
    await asOwner(testApp, (client) => client.query("analyze login_entries"));
    expect(await playersOf({ trace: "7K3M9QXW" })).toEqual(["Notch"]);
    // Whatever time it is, of this day there is much.
    const day = `login_entries_${dayOf(24)}`;
    const searches = { trace: "7K3M9QXW", player: "Notch", ip: "203.0.113.7" };
    for (const [name, value] of Object.entries(searches)) {
      const plan = await planOf({ [name]: value });
      expect(plan).toMatch(new RegExp(`Index Scan.* (using|on) ${day}_\\w*_idx`));
      expect([name, plan]).toEqual([name, expect.not.stringContaining(`Seq Scan on ${day}`)]);
    }
    expect(await planOf({ trace: "7K3M9QXW" })).toContain("AND (trace = '7K3M9QXW'::text))");
  });

  test.each([
    [{ verdict: "nonsense" }, "verdict"],
    [{ player: " " }, "player"],
    [{ player: "x".repeat(17) }, "player"],
    [{ player: "a\0b" }, "player"],
    [{ ip: "203.0.113" }, "ip"],
    [{ ip: "fe80::1%eth0" }, "ip"],
    [{ trace: "UUUUUUUU" }, "trace"],
  ])("%o is refused with 422 at its field", async (query, path) => {
    const answer = await call(testApp, routes.logs.listLogEntries, {
      token: owner.token,
      params: { id: shieldId },
      query,
    });
    expect([answer.statusCode, answer.json().issues?.[0]?.path]).toEqual([422, path]);
  });
});

describe("the days of the log", () => {
  async function partitions(): Promise<string[]> {
    const { rows } = await sql<{ day: string }>`
      select right(inhrelid::regclass::text, 8) as day from pg_inherits
      where inhparent = 'login_entries'::regclass order by 1
    `.execute(testApp.platform.db);
    return rows.map(({ day }) => day);
  }

  async function makeDays(...ages: readonly number[]): Promise<void> {
    await asOwner(testApp, async (client) => {
      for (const days of ages) {
        await client.query(`
          create table login_entries_${dayOf(days * 24)} partition of login_entries for values
            from ('${ago(days * 24).slice(0, 10)} 00:00+00')
            to ('${ago((days - 1) * 24).slice(0, 10)} 00:00+00')
        `);
      }
    });
  }

  /** Entries of so many days ago, on days made for them. */
  async function remember(id: string, ages: readonly number[] = [5, 10, 25]): Promise<void> {
    for (const days of ages) {
      await sql`
        insert into login_entries (id, shield_id, at, edge_id, verdict, shadow, player, ip,
          protocol, host, trace, facts)
        values (gen_random_uuid(), ${id}, ${ago(days * 24)},
          ${edge.id}, 'joined', false, ${`day${days}`}, '203.0.113.7', 765, '', '7K3M9QXW', '{}')
      `.execute(testApp.platform.db);
    }
  }

  test("are created ahead, once, also by jobs that run at the same time", async () => {
    // As after midnight: the last day is still to be made.
    await asOwner(testApp, (client) =>
      client.query(`drop table if exists login_entries_${dayOf(-96)}`),
    );
    const job = loginPartitionsJob(testApp.platform.db);
    await Promise.all([job.run({}), job.run({}), job.run({})]);
    const made = await partitions();
    expect(made).toEqual(expect.arrayContaining([dayOf(48), dayOf(0), dayOf(-96)]));
    expect(new Set(made).size).toBe(made.length);
  });

  test("are shown and kept as many as the plan says, however often the job runs", async () => {
    await makeDays(5, 10, 25, 40);
    const other = await createUser(testApp);
    const { id } = await createShield(testApp, other);
    const pro = await planIdOf(testApp, "pro");
    await testApp.platform.db
      .updateTable("shields")
      .set({ pricing_plan_id: pro })
      .where("id", "=", id)
      .execute();
    await remember(shieldId);
    await remember(id);
    expect(await playersOf()).toEqual(["day5"]);
    expect((await entries({}, other, id)).data).toHaveLength(3);
    const job = loginRetentionJob(testApp.platform.db);
    await Promise.all([job.run({}), job.run({})]);
    const left = await partitions();
    await job.run({});
    expect(await partitions()).toEqual(left);
    const { rows } = await sql<{ shield_id: string; player: string }>`
      select shield_id, player from login_entries
      where shield_id in (${shieldId}, ${id}) order by at
    `.execute(testApp.platform.db);
    expect(rows.map((row) => [row.shield_id === id ? "pro" : "free", row.player])).toEqual(
      expect.arrayContaining([
        ["free", "day5"],
        ["pro", "day5"],
        ["pro", "day10"],
        ["pro", "day25"],
      ]),
    );
    expect(rows).toHaveLength(4);
    const days = await partitions();
    expect(days).toContain(dayOf(25 * 24));
    expect(days).not.toContain(dayOf(40 * 24));
  });

  test("without partitions for the next days do not stop the start of the api", async () => {
    const functions = ["make_login_partitions", "make_telemetry_partitions"];
    const rename = (from: string, to: string) =>
      asOwner(testApp, async (client) => {
        for (const name of functions) {
          await client.query(`alter function ${name}${from}(integer) rename to ${name}${to}`);
        }
      });
    const lines: string[] = [];
    await rename("", "_gone");
    try {
      const started = await createTestApp({ sharing: testApp, onLog: (line) => lines.push(line) });
      await started.close();
    } finally {
      await rename("_gone", "");
    }
    expect(lines.filter((line) => line.includes("cannot be made"))).toHaveLength(2);
  });

  test("are dropped later if a query still reads them, and reports are stored in the meantime", async () => {
    await makeDays(50, 60);
    const reader = await hold(testApp, (trx) =>
      sql`select from login_entries limit 1`.execute(trx),
    );
    const { db } = testApp.platform;
    await expect(loginRetentionJob(db).run({})).rejects.toThrow("Some old logins were not deleted");
    await tell(login());
    expect(await partitions()).toContain(dayOf(60 * 24));
    await reader.release();
    await loginRetentionJob(db).run({});
    const days = await partitions();
    for (const gone of [50, 60]) expect(days).not.toContain(dayOf(gone * 24));
  });

  test("are deleted for one plan although deleting fails for another, and the job is repeated", async () => {
    const other = await createUser(testApp);
    const { id } = await createShield(testApp, other);
    const { db } = testApp.platform;
    const plans = await selectPlans(db);
    const ofPlan = (index: number) => plans[index]?.id ?? "";
    for (const [index, of] of [shieldId, id].entries()) {
      await sql`update shields set pricing_plan_id = ${ofPlan(index)} where id = ${of}`.execute(db);
      // Older than the day that is kept, and never before the oldest partition.
      await remember(of, [25 / 24]);
    }
    await sql`update pricing_plans set limits = limits || '{"log_days": 1}'`.execute(db);
    await asOwner(testApp, (client) =>
      client.query(`
        create function refuse_one() returns trigger language plpgsql
          as $$ begin raise exception 'not this one'; end $$;
        create trigger refuse_one before delete on login_entries for each row
          when (old.shield_id = '${shieldId}') execute function refuse_one()
      `),
    );
    await expect(loginRetentionJob(db).run({})).rejects.toThrow("Some old logins were not deleted");
    await asOwner(testApp, (client) => client.query("drop trigger refuse_one on login_entries"));
    const left = sql<{ shield_id: string }>`
      select shield_id from login_entries where shield_id in (${shieldId}, ${id})`;
    expect((await left.execute(db)).rows).toEqual([{ shield_id: shieldId }]);
    await loginRetentionJob(db).run({});
    expect((await left.execute(db)).rows).toEqual([]);
  });

  test("that are too old are found by an index", async () => {
    const asked = [
      (db: Db) => selectShieldsWithOldLogins(db, [shieldId], 1),
      (db: Db) => deleteOldestLogins(db, { shieldId, daysKept: 1, limit: 10 }),
    ];
    for (const ask of asked) {
      const plan = await queryPlan(testApp, ask);
      expect([plan, plan.includes(`Seq Scan on login_entries_${dayOf(30)}`)]).toEqual([
        plan,
        false,
      ]);
    }
  });
});
