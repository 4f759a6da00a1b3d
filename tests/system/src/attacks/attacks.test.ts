import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Client } from "@palisade/contract/http/client";
import type { Attack } from "@palisade/contract/http/attacks";
import { routes } from "@palisade/contract/http/routes";
import { pdfPages } from "@palisade/testing/pdf-text";
import { until } from "@palisade/testing/until";
import { Client as Database } from "pg";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { createShield, signUp, type CreatedShield } from "../product/account.ts";
import {
  createHome,
  databaseOf,
  parseHostPort,
  removeHome,
  startPalisade,
  startPart,
  type HostPort,
  type Palisade,
  type Part,
} from "../product/palisade.ts";
import { createPreparedHome } from "../product/prepared-home.ts";
import { createEdgeToken } from "../minecraft/fixture.ts";
import { networks, sendBots } from "./bots.ts";

/**
 * An attack on a shield that two edges serve, one of them with two threads, and an api that is
 * killed in the middle of it.
 */

/** In a second. */
const loginsAllowed = 3;
const threshold = 6;

let home: string;
let secondHome: string;
let palisade: Palisade;
let second: Part;
let secondJava: HostPort;
let owner: Client;
let shield: CreatedShield;
let database: Database;
let serial = 0;

beforeAll(async () => {
  [home, secondHome] = await Promise.all([createPreparedHome(), createHome()]);
  palisade = await startPalisade(home, { PALISADE_EDGE_WORKERS: "2" });
  second = await startPart("edge", secondHome, {
    PALISADE_API_URL: palisade.consoleUrl,
    PALISADE_EDGE_TOKEN: await createEdgeToken(home, "local", "second"),
  });
  secondJava = parseHostPort(second.facts["java"] ?? "");
  database = new Database({ connectionString: (await databaseOf(home)).ownerUrl });
  await database.connect();
  owner = await signUp(palisade.consoleUrl, "owner@example.com");
});
beforeEach(async () => {
  // Nothing listens there: an admitted player is told that the server is offline.
  const backend = { host: "127.0.0.1", port: 4_009 };
  shield = await createShield(owner, backend, `attacked${(serial += 1)}.example.com`);
  await setThreshold();
});
afterAll(async () => {
  await database?.end();
  await second?.stop();
  await palisade?.stop();
  for (const folder of [home, secondHome]) if (folder !== undefined) await removeHome(folder);
});

const params = () => ({ params: { id: shield.id } });

/** The newest first. */
async function attacks() {
  return (await owner(routes.attacks.listAttacks, { ...params(), query: {} })).data.data;
}

async function events(): Promise<string[]> {
  const { rows } = await database.query<{ kind: string }>(
    `select kind from attack_events join attacks on attacks.id = attack_id
     where shield_id = $1 order by attack_events.at, kind`,
    [shield.id],
  );
  return rows.map(({ kind }) => kind);
}

/** An attack that was over an hour ago. */
async function insertPastAttack(): Promise<void> {
  await database.query(
    `with past as (
       insert into attacks (id, shield_id, started_at, ended_at)
       values (gen_random_uuid(), $1, now() - interval '2 hours', now() - interval '1 hour')
       returning id, started_at, ended_at
     )
     insert into attack_events (id, attack_id, kind, at)
     select gen_random_uuid(), id, 'started', started_at from past
     union all select gen_random_uuid(), id, 'stopped', ended_at from past`,
    [shield.id],
  );
}

/** How many starts of edges have told of attacks since. */
async function startsThatTold(since: string): Promise<number> {
  const { rows } = await database.query<{ starts: number }>(
    `select count(distinct boot_id)::int as starts
     from attack_parts join attacks on attacks.id = attack_id
     where shield_id = $1 and attacks.started_at >= $2`,
    [shield.id, since],
  );
  return rows[0]?.starts ?? 0;
}

/** Logins as the control plane has counted them. */
async function counted(): Promise<number> {
  const { rows } = await database.query<{ sum: number }>(
    `select coalesce(sum(value::bigint), 0)::float8 as sum
     from telemetry_hourly, jsonb_each_text(reasons) where shield_id = $1 and key like 'r:%'`,
    [shield.id],
  );
  return rows[0]?.sum ?? 0;
}

/** For more logins than allowed, as each edge has told it of the attack. */
async function refusedByEdge(): Promise<number[]> {
  const { rows } = await database.query<{ refused: number }>(
    `select (attack_parts.refused ->> 'max_connections')::int as refused
     from attack_parts join attacks on attacks.id = attack_id where shield_id = $1`,
    [shield.id],
  );
  expect(rows).toHaveLength(2);
  return rows.map(({ refused }) => refused);
}

/** Looks at nothing but logins in a second, and an attack lasts as short as it can. */
async function setThreshold(): Promise<void> {
  const { data } = await owner(routes.mitigation.updateMitigation, {
    ...params(),
    body: {
      antibot_level: "disabled",
      max_connections: loginsAllowed,
      max_connections_enabled: true,
      mitigation_threshold: threshold,
      mitigation_threshold_enabled: true,
      mitigation_duration_enabled: false,
    },
  });
  const query = { revision: data.revision };
  await until(
    async () =>
      (await owner(routes.servers.getPropagation, { ...params(), query })).data.edges_applied === 2,
    { what: "the threshold on both edges" },
  );
}

/** kill -9 of the api while a report has been taken but for its last step, once `cause` has led to it. */
async function killApiInReport(cause: () => void): Promise<void> {
  await database.query("begin");
  await database.query("lock table attack_events in share mode");
  cause();
  await until(
    async () => {
      const { rows } = await database.query(
        "select from pg_locks where relation = 'attack_events'::regclass and not granted",
      );
      return rows.length > 0;
    },
    { everyMs: 20, what: "a report in the middle" },
  );
  process.kill(await palisade.pidOf("api"), "SIGKILL");
  await database.query("rollback");
}

/** The schedule's own job, now instead of at the full minute, on attacks that no edge has reported for a minute. */
async function lookAMinuteLater(): Promise<void> {
  await database.query("update attack_parts set heard_at = heard_at - interval '1 minute'");
  await database.query("insert into jobs.job (name, data) values ('attacks.close', '{}')");
}

async function toldToBeOver() {
  const ended = await until(
    async () => {
      const [newest] = await attacks();
      return newest?.ended_at === null ? undefined : newest;
    },
    { what: "the attack's end" },
  );
  await lookAMinuteLater();
  await until(async () => (await events()).at(-1) === "stopped", { what: "the end to be told" });
  return ended;
}

/** The page, the PDF and a shared link tell the numbers of the list, and a revoked link tells nothing. */
async function expectSamePage(listed: Attack): Promise<void> {
  const of = { params: { id: shield.id, attackId: listed.id } };
  const { attack } = (await owner(routes.attacks.getAttack, of)).data;
  expect(attack).toMatchObject(listed);
  expect(Math.max(...(attack.course?.peaks ?? []))).toBe(listed.peak_per_second);
  expect(attack.threshold).toBe(threshold);
  expect(attack.admitted).toBe(0);
  expect(attack.networks.length).toBeGreaterThan(0);
  const pdf = await owner(routes.attacks.getAttackPdf, { ...of, query: { language: "en" } });
  const pages = await pdfPages(Buffer.from(await pdf.data.arrayBuffer()));
  const text = pages.join(" ");
  expect(text).toContain(`Peak: ${listed.peak_per_second}/s`);
  expect(text).toContain(attack.networks[0]?.network);

  const { share, token } = (await owner(routes.attacks.shareAttack, { ...of, body: { days: 1 } }))
    .data;
  const shared = await owner(routes.attacks.readSharedAttack, { body: { token } });
  expect(shared.data.attack.peak_per_second).toBe(listed.peak_per_second);
  const addresses = [...attack.addresses.map(({ address }) => address), shield.domain];
  for (const address of addresses) expect(JSON.stringify(shared.data)).not.toContain(address);
  const params = { ...of.params, shareId: share.id };
  await owner(routes.attacks.revokeAttackShare, { params });
  await expect(owner(routes.attacks.readSharedAttack, { body: { token } })).rejects.toMatchObject({
    status: 404,
  });
}

interface Told {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A receiver of the shield's webhook; what it got, by `webhook-id`. */
async function receiveWebhooks(): Promise<ReadonlyMap<string, Told>> {
  const told = new Map<string, Told>();
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    told.set(String(request.headers["webhook-id"]), JSON.parse(body));
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  // Listening on TCP: the address is one.
  const { port } = server.address() as AddressInfo;
  const body = { url: `http://127.0.0.1:${port}/hook` };
  await owner(routes.webhooks.addWebhook, { ...params(), body });
  return told;
}

async function mailsAboutAttacks(): Promise<string[]> {
  const { rows } = await database.query<{ text_body: string }>(
    `select text_body from development_mails
     where recipient = 'owner@example.com' and subject like 'Attack on %' order by id`,
  );
  return rows.map(({ text_body }) => text_body);
}

test("an attack is told once to have begun and once to be over, over two edges and an api killed in the middle of a report, and no login is lost or counted twice", async () => {
  const told = await receiveWebhooks();
  const edges = [palisade.java];
  const bots = sendBots(edges, shield.domain);
  onTestFinished(() => bots.stop());
  const [begun] = await until(async () => {
    const found = await attacks();
    return found.length > 0 && found;
  });
  expect(begun).toMatchObject({ edges: 1, ended_at: null });

  const killed = await palisade.pidOf("api");
  // The other edge tells at once that it sees the attack, too.
  await killApiInReport(() => void edges.push(secondJava));
  const before = bots.sent();
  await until(async () => (await palisade.pidOf("api")) !== killed, { what: "another api" });
  const running = await until(async () => (await attacks()).find((attack) => attack.edges === 2), {
    what: "the attack on both edges",
  });
  await until(async () => (await counted()) > before, { what: "logins after the restart" });
  await bots.stop();

  const ended = await toldToBeOver();
  expect(await events()).toEqual(["started", "stopped"]);
  expect(await attacks()).toEqual([ended]);
  expect(ended).toMatchObject({ id: running.id, edges: 2, started_at: begun?.started_at });
  expect(Object.keys(ended.refused)).toEqual(["max_connections"]);
  const byEdge = await refusedByEdge();
  expect(byEdge.every((refused) => refused > 0)).toBe(true);
  expect(ended.refused.max_connections).toBe(byEdge.reduce((sum, refused) => sum + refused, 0));
  // But for the few that were refused before there were too many.
  expect(ended.refused.max_connections).toBeLessThanOrEqual(bots.refused());
  expect(ended.refused.max_connections).toBeGreaterThan(bots.refused() / 2);
  expect(ended.sources).toBeGreaterThanOrEqual(networks / 2);
  expect(ended.sources).toBeLessThanOrEqual(networks * 2);

  await expectSamePage(ended);
  await until(() => told.size >= 2, { what: "both messages to the webhook" });
  const [start, end] = told.values();
  expect([told.size, start?.type, end?.type]).toEqual([2, "attack.started", "attack.ended"]);
  expect(start?.data).toMatchObject({ attack_id: running.id, ended_at: null });
  const { started_at, ended_at, peak_per_second, sources, refused } = ended;
  expect(end?.data).toMatchObject({
    attack_id: running.id,
    started_at,
    ended_at,
    peak_per_second,
    sources,
    refused,
    refused_total: ended.refused.max_connections,
  });
  const mails = await until(async () => {
    const found = await mailsAboutAttacks();
    return found.length >= 2 && found;
  });
  expect(mails).toHaveLength(2);
  for (const figure of [ended.refused.max_connections ?? 0, peak_per_second, sources]) {
    expect(mails[1]).toContain(new Intl.NumberFormat("en").format(figure));
  }

  await until(async () => (await counted()) >= bots.sent(), { what: "every login" });
  expect(await counted()).toBe(bots.sent());
  const { rows } = await database.query<{ entries: number; traces: number }>(
    `select count(*)::int as entries, count(distinct trace)::int as traces
     from login_entries where shield_id = $1`,
    [shield.id],
  );
  expect(rows[0]?.traces).toBe(rows[0]?.entries);
  expect(rows[0]?.entries).toBeGreaterThan(0);
});

test("an attack goes on over kill -9 of the edge that sees it", async () => {
  await insertPastAttack();
  const before = await attacks();
  expect(before).toHaveLength(1);
  const bots = sendBots([secondJava], shield.domain);
  onTestFinished(() => bots.stop());
  const running = await until(async () => {
    const [newest] = await attacks();
    return newest?.ended_at === null && newest;
  });
  await bots.stop();
  await second.killProgram();
  await second.isBack();
  const more = sendBots([secondJava], shield.domain);
  onTestFinished(() => more.stop());
  await until(async () => (await startsThatTold(running.started_at)) === 2, {
    what: "the attack, told by the edge that was started again",
  }).catch((cause: unknown) => {
    throw new Error(second.output.text().slice(-4_000), { cause });
  });
  await more.stop();
  expect(await toldToBeOver()).toMatchObject({ id: running.id, edges: 1 });
  expect((await attacks()).slice(1)).toEqual(before);
  expect(await events()).toEqual(["started", "stopped", "started", "stopped"]);
});
