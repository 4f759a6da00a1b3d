import { randomUUID } from "node:crypto";
import type { AttackDetail } from "@palisade/contract/edge/attack-detail";
import type { AttackReport } from "@palisade/contract/edge/telemetry";
import { routes } from "@palisade/contract/http/routes";
import type { Locale } from "@palisade/contract/texts/locale";
import { pdfPages } from "@palisade/testing/pdf-text";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Trx } from "#src/platform/database/db.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  addMember,
  createShield,
  enrolEdge,
  type TestEdge,
} from "#src/test-support/test-shields.ts";
import {
  call,
  createStaff,
  createUser,
  expectStatus,
  type TestUser,
} from "#src/test-support/test-users.ts";
import { deleteOldParts } from "./attack-ends.repository.ts";
import { recordAttacks } from "./attack-reports.service.ts";
import { emptyReport } from "#src/test-support/test-telemetry.ts";

let testApp: TestApp;
let edges: TestEdge[];
let owner: TestUser;
let shieldId: string;
let seq = 0;
const bootId = randomUUID();

beforeAll(async () => {
  testApp = await createTestApp();
  testApp.clock.set(new Date());
  await sql`delete from jobs.schedule`.execute(testApp.platform.db);
  const staff = await createStaff(testApp);
  edges = [
    await enrolEdge(testApp, staff, { name: "one" }),
    await enrolEdge(testApp, staff, { name: "two" }),
  ];
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  owner = await createUser(testApp);
  shieldId = (await createShield(testApp, owner)).id;
});

const secondsAgo = (seconds: number) => Math.floor(testApp.clock.nowMs() / 1_000) - seconds;
const ago = (seconds: number) => new Date(secondsAgo(seconds) * 1_000).toISOString();

function detailOf(peaks: number[], changes: Partial<AttackDetail> = {}): AttackDetail {
  const course = { from: secondsAgo(60), step: 1, logins: peaks, peaks } as const;
  return {
    threshold: 20,
    course: { ...course, admitted: peaks.map(() => 1) },
    levels: [{ at: ago(60), level: "extreme", cause: "start" }],
    addresses: [{ address: "203.0.113.7", logins: 44 }],
    networks: [{ network: "203.0.113.0/24", logins: 61 }],
    names: [
      { shape: "Bot_####", logins: 58 },
      { shape: "Steve", logins: 40 },
      { shape: "Anna_##", logins: 19 },
    ],
    ...changes,
  };
}

async function tell(edge: TestEdge | undefined, changes: Partial<AttackReport>): Promise<void> {
  seq += 1;
  const attack = {
    id: randomUUID(),
    shield_id: shieldId,
    started_at: ago(60),
    ended_at: ago(5),
    peak_per_second: 70,
    sources: 9,
    refused: { rate: 88 },
    relaxed_to: null,
    ...changes,
  };
  const body = { boot_id: bootId, seq, ...emptyReport, attacks: [attack] };
  await expectStatus(
    call(testApp, routes.edge.telemetry, { token: edge?.credential ?? "", body }),
    200,
  );
}

async function newestId(): Promise<string> {
  const { token } = owner;
  const answer = await call(testApp, routes.attacks.listAttacks, {
    token,
    params: { id: shieldId },
  });
  return routes.attacks.listAttacks.response.parse(answer.json()).data[0]?.id ?? "";
}

async function read(user = owner, id?: string) {
  const params = { id: shieldId, attackId: id ?? (await newestId()) };
  const answer = await expectStatus(
    call(testApp, routes.attacks.getAttack, { token: user.token, params }),
    200,
  );
  return routes.attacks.getAttack.response.parse(answer.json()).attack;
}

async function share(days = 7) {
  const params = { id: shieldId, attackId: await newestId() };
  const answer = await expectStatus(
    call(testApp, routes.attacks.shareAttack, { token: owner.token, params, body: { days } }),
    201,
  );
  return { params, ...routes.attacks.shareAttack.response.parse(answer.json()) };
}

async function pdfText(language: Locale): Promise<string> {
  const params = { id: shieldId, attackId: await newestId() };
  const answer = await expectStatus(
    call(testApp, routes.attacks.getAttackPdf, { token: owner.token, params, query: { language } }),
    200,
  );
  expect(answer.headers["content-type"]).toBe("application/pdf");
  return (await pdfPages(answer.rawPayload)).join("\n").replaceAll("\u00A0", " ");
}

const open = (token: string) => call(testApp, routes.attacks.readSharedAttack, { body: { token } });

describe("the page of an attack", () => {
  test("has one peak in list, page and chart: the highest second of all edges together", async () => {
    await tell(edges[0], { detail: detailOf([30, 70, 25]), peak_per_second: 70 });
    await tell(edges[1], { detail: detailOf([60, 2, 50]), peak_per_second: 60 });
    const attack = await read();
    expect(attack.course?.peaks).toEqual([90, 72, 75]);
    expect(attack).toMatchObject({
      peak_per_second: 90,
      threshold: 20,
      logins: 237,
      admitted: 6,
      edges: 2,
      addresses: [{ address: "203.0.113.7", logins: 88, country: null }],
      networks: [{ network: "203.0.113.0/24", logins: 122 }],
      levels: [{ level: "extreme", cause: "start" }],
      addresses_masked: false,
    });
    const { token } = owner;
    const answer = await call(testApp, routes.attacks.listAttacks, {
      token,
      params: { id: shieldId },
    });
    expect(answer.json().data[0].peak_per_second).toBe(90);
  });

  test("names the edition that was attacked, on the page and in the notification", async () => {
    const [one, two] = [
      { java: 2, bedrock: 0 },
      { java: 0, bedrock: 90 },
    ].map((editions) => detailOf([30], { editions }));
    await tell(edges[0], { detail: one, ended_at: null });
    await tell(edges[1], { detail: two, ended_at: null });
    expect((await read()).editions).toEqual({ java: 2, bedrock: 90 });
    const { rows } = await sql<{ data: { editions: unknown } }>`
      select data from notification_events where shield_id = ${shieldId} and kind = 'attack.started'
    `.execute(testApp.platform.db);
    expect(rows.map(({ data }) => data.editions)).toEqual([{ java: 2, bedrock: 0 }]);
  });

  test("has the datagrams of a flood, of all edges together, and says so to the owner", async () => {
    const flood = (datagrams: number[]) => {
      const { course, ...detail } = detailOf([0, 0], { datagrams_threshold: 5_000, names: [] });
      return { ...detail, course: { ...course, datagrams } };
    };
    const alone = { peak_per_second: 0, refused: {} };
    const [one, two] = [flood([6_000, 7_000]), flood([0, 9_000])];
    await tell(edges[0], { ...alone, detail: one, datagrams_peak: 7_000 });
    await tell(edges[1], { ...alone, detail: two, datagrams_peak: 9_000 });
    expect(await read()).toMatchObject({
      peak_per_second: 0,
      datagrams_peak: 16_000,
      datagrams_threshold: 5_000,
      course: { peaks: [0, 0], datagrams: [6_000, 16_000] },
    });
    const { rows } = await sql<{ data: unknown }>`
      select data from notification_events where shield_id = ${shieldId} and kind = 'attack.started'
    `.execute(testApp.platform.db);
    expect(rows).toMatchObject([{ data: { peak_per_second: 0, datagrams_peak: 7_000 } }]);
    expect(await pdfText("en")).toContain("Peak of Bedrock datagrams: 16,000/s");
  });

  test("is without course for edges that tell none, and 30 days after the end", async () => {
    await tell(edges[0], {});
    expect(await read()).toMatchObject({ course: null, threshold: null, logins: null, names: [] });
    await tell(edges[1], { detail: detailOf([30]) });
    // A course without one of the edges would contradict the peak.
    expect(await read()).toMatchObject({ course: null, addresses: [{ logins: 44 }] });
    await sql`update attacks set ended_at = ended_at - interval '31 days', is_over = true
      where shield_id = ${shieldId}`.execute(testApp.platform.db);
    await deleteOldParts(testApp.platform.db);
    expect(await read()).toMatchObject({ course: null, addresses: [], peak_per_second: 140 });
  });

  test("tells the players before, during and after it", async () => {
    await tell(edges[0], { started_at: ago(1_800), ended_at: ago(1_500), detail: detailOf([30]) });
    const minutes = (fromSeconds: number, toSeconds: number, players: number) =>
      sql`
      insert into telemetry_minutes (shield_id, start, edge_id, player_seconds)
      select ${shieldId}::uuid, minute, ${edges[0]?.id}::uuid, ${players * 60}
      from generate_series(date_trunc('minute', ${ago(fromSeconds)}::timestamptz),
        date_trunc('minute', ${ago(toSeconds)}::timestamptz) - interval '1 minute',
        interval '1 minute') minute
    `.execute(testApp.platform.db);
    await minutes(2_700, 1_800, 40);
    await minutes(1_800, 1_440, 10);
    await minutes(1_440, 60, 38);
    const { players } = await read();
    expect(players).toMatchObject({ before: 40, during: 10, after: 38, step_seconds: 60 });
  });

  test("shows shortened addresses to members without the right to addresses", async () => {
    await tell(edges[0], { detail: detailOf([30]) });
    const member = await createUser(testApp);
    await addMember(testApp, shieldId, member);
    await sql`update shield_members set member_role = 'viewer' where shield_id = ${shieldId}`.execute(
      testApp.platform.db,
    );
    const seen = await read(member);
    expect(seen).toMatchObject({
      addresses_masked: true,
      addresses: [{ address: "203.0.*.*" }],
      networks: [{ network: "203.0.*.*" }],
    });
    expect(JSON.stringify(seen)).not.toContain("203.0.113");
  });

  test("answers 404 by every route if the attack is another shield's", async () => {
    await tell(edges[0], { detail: detailOf([30]) });
    const attackId = await newestId();
    const stranger = await createUser(testApp);
    const { id } = await createShield(testApp, stranger);
    const { getAttack, getAttackPdf, listAttackShares, shareAttack, revokeAttackShare } =
      routes.attacks;
    for (const route of [getAttack, getAttackPdf, listAttackShares, shareAttack]) {
      const params = { id, attackId };
      const body = route === shareAttack ? { days: 1 } : undefined;
      const given = { token: stranger.token, params, ...(body && { body }) };
      expect([route.id, (await call(testApp, route, given)).statusCode]).toEqual([route.id, 404]);
    }
    const { share: made, token } = await share();
    const params = { id, attackId, shareId: made.id };
    const answer = await call(testApp, revokeAttackShare, { token: stranger.token, params });
    expect(answer.statusCode).toBe(404);
    expect((await open(token)).statusCode).toBe(200);
  });
});

test.each([
  [
    "en",
    [
      "Attack report",
      "Peak: 70/s",
      "Duration: 55 sec",
      "Bot_####",
      "203.0.113.7",
      "at least 44",
      "Too many from one address 88",
    ],
  ],
  [
    "ru",
    [
      "Отчёт об атаке",
      "Пик: 70/с",
      "Длительность: 55 с",
      "Bot_####",
      "не менее 44",
      "Слишком много с одного адреса 88",
    ],
  ],
] as const)("the report as PDF tells the page's numbers (%s)", async (language, texts) => {
  await tell(edges[0], { detail: detailOf([30, 70, 25]) });
  const text = await pdfText(language);
  for (const each of texts) expect(text).toContain(each);
});

test("the erasure of a player takes their name from the shield's attacks, and nothing else", async () => {
  const names = [
    { shape: "Bot_####", logins: 58 },
    { shape: "Steve", logins: 9 },
    { shape: "sTeve", logins: 4 },
  ];
  await tell(edges[0], { detail: detailOf([30, 70], { names }) });
  await tell(edges[1], { detail: detailOf([30], { names: [{ shape: "STEVE", logins: 5 }] }) });
  const attacked = shieldId;
  shieldId = (await createShield(testApp, owner)).id;
  await tell(edges[0], { detail: detailOf([30], { names }) });
  await expectStatus(
    call(testApp, routes.logs.erasePlayer, {
      token: owner.token,
      params: { id: attacked },
      body: { player: "steve" },
    }),
    200,
  );
  expect((await read()).names).toHaveLength(3);
  shieldId = attacked;
  expect(await read()).toMatchObject({
    names: [{ shape: "Bot_####", logins: 58 }],
    addresses: [{ logins: 88 }],
    peak_per_second: 70,
  });
});

test("while an attack runs, the reports of one edge alone read the courses of all edges", async () => {
  const ids = [randomUUID(), randomUUID()];
  const reportOf = (index: number, peaks: number[]): AttackReport => ({
    id: ids[index] ?? "",
    shield_id: shieldId,
    started_at: ago(60 - index),
    ended_at: null,
    peak_per_second: Math.max(...peaks),
    sources: 9,
    refused: { rate: 88 },
    relaxed_to: null,
    detail: detailOf(peaks),
  });
  const coursesRead = async (index: number, peaks: number[]) => {
    seq += 1;
    const report = { boot_id: bootId, seq, isFirst: false };
    return testApp.platform.db.transaction().execute(async (trx) => {
      const before = await detailsRead(trx);
      await recordAttacks(trx, edges[index]?.id ?? "", report, [reportOf(index, peaks)]);
      return (await detailsRead(trx)) - before;
    });
  };
  await coursesRead(0, [30]);
  await coursesRead(1, [60]);
  // To replace its own course, an edge reads that one.
  expect(await coursesRead(1, [60, 2])).toBe(1);
  expect(await coursesRead(0, [30, 70])).toBeGreaterThanOrEqual(3);
  expect((await read()).peak_per_second).toBe(90);
  // The edge that read them is silent, so the next one does.
  await sql`update attack_parts set heard_at = heard_at - interval '40 s'
    where part_id = ${ids[0]}`.execute(testApp.platform.db);
  expect(await coursesRead(1, [60, 2, 95])).toBeGreaterThanOrEqual(3);
  expect((await read()).peak_per_second).toBe(95);
});

/** Rows of this table that the transaction has read. */
async function detailsRead(trx: Trx): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as count
    from pg_stat_xact_user_tables where relname = 'attack_part_details'
  `.execute(trx);
  return Number(rows[0]?.count);
}

describe("a link to an attack", () => {
  test("shows numbers without any address, setting, server or name that may be a player's", async () => {
    await tell(edges[0], { detail: detailOf([30, 70, 25]) });
    const { token } = await share();
    const answer = await expectStatus(open(token), 200);
    const { attack } = routes.attacks.readSharedAttack.response.parse(answer.json());
    expect(attack).toMatchObject({ peak_per_second: 70, names: [{ shape: "Bot_####" }] });
    const texts = ["203.0", shieldId, owner.email, "Steve", "Anna", "extreme"];
    const fields = ["addresses", "sample", "players", "threshold", "levels", "relaxed_to"];
    for (const hidden of [...texts, ...fields]) expect(answer.body).not.toContain(hidden);
  });

  test("ends at once when it is revoked, at its time, and with its shield; its token is not stored", async () => {
    await tell(edges[0], { detail: detailOf([30]) });
    const { token, share: made, params } = await share(1);
    const other = await share(7);
    const { rows } = await sql<{ all: string }>`
      select string_agg(attack_shares::text, '') as all from attack_shares
    `.execute(testApp.platform.db);
    expect(rows[0]?.all).not.toContain(token);
    await expectStatus(
      call(testApp, routes.attacks.revokeAttackShare, {
        token: owner.token,
        params: { ...params, shareId: made.id },
      }),
      200,
    );
    expect([(await open(token)).statusCode, (await open(other.token)).statusCode]).toEqual([
      404, 200,
    ]);
    expect((await open("psa_made-up")).statusCode).toBe(404);
    await testApp.platform.db
      .updateTable("attack_shares")
      .set({ expires_at: testApp.clock.now() })
      .where("id", "=", other.share.id)
      .execute();
    expect((await open(other.token)).statusCode).toBe(404);
    const last = await share(7);
    await sql`update shields set status = 'deleted', deleted_at = now() where id = ${shieldId}`.execute(
      testApp.platform.db,
    );
    expect((await open(last.token)).statusCode).toBe(404);
  });

  test("is one of at most 20", async () => {
    await tell(edges[0], { detail: detailOf([30]) });
    for (let n = 0; n < 20; n += 1) await share();
    const params = { id: shieldId, attackId: await newestId() };
    const answer = await call(testApp, routes.attacks.shareAttack, {
      token: owner.token,
      params,
      body: { days: 1 },
    });
    expect([answer.statusCode, answer.json().code]).toEqual([422, "list_full"]);
  });
});
