import { createHash, randomUUID } from "node:crypto";
import { edgeRoutes } from "@palisade/contract/edge/edge-routes";
import type { MinuteCounters } from "@palisade/contract/edge/plain-values";
import { createClient, type Client } from "@palisade/contract/http/client";
import type { Client as Database } from "pg";

/** Sums of everything that was sent, each report once. */
export interface Sent {
  rows: number;
  joins: number;
  bytes: number;
  rate: number;
}

export interface SimulatedEdge {
  readonly shields: readonly string[];
  readonly call: Client;
  bootId: string;
  seq: number;
}

/** Rows copied from those of a real shield, so that a new column needs no change here. */
export async function insertFleetShields(
  database: Database,
  template: string,
  count: number,
): Promise<string[]> {
  await database.query("begin");
  // References hold by construction.
  await database.query("set local session_replication_role = replica");
  await database.query(
    `create temp table soak_shields on commit drop as
     select n, gen_random_uuid() as id from generate_series(1, $1) n`,
    [count],
  );
  await database.query(
    `insert into shields select copy.* from soak_shields s, shields t,
       jsonb_populate_record(null::shields, to_jsonb(t) || jsonb_build_object('id', s.id,
         'cname_record', 'soak' || s.n || '.gs.localhost')) copy where t.id = $1`,
    [template],
  );
  await database.query(
    `insert into shield_configs select copy.* from soak_shields s, shield_configs t,
       jsonb_populate_record(null::shield_configs, to_jsonb(t)
         || jsonb_build_object('shield_id', s.id)) copy where t.shield_id = $1`,
    [template],
  );
  const { rows } = await database.query<{ id: string }>("select id from soak_shields order by n");
  await database.query("commit");
  await database.query("analyze");
  return rows.map(({ id }) => id);
}

/** Enrolled edges of the location `local`, each with its part of the shields. */
export async function insertFleetEdges(
  database: Database,
  apiUrl: string,
  shields: readonly string[],
  count: number,
): Promise<SimulatedEdge[]> {
  const each = Math.ceil(shields.length / count);
  const edges: SimulatedEdge[] = [];
  for (let index = 0; index < count; index += 1) {
    const credential = `pse_${randomUUID()}${randomUUID()}`;
    await database.query(
      `insert into edges (id, name, kind, location, credential_hash, credential_expires_at,
         addresses, created_at, enrolled_at)
       values ($1, $2, 'edge', 'local', $3, now() + interval '1 day', '[]', now(), now())`,
      [randomUUID(), `soak-${index}`, createHash("sha256").update(credential).digest("base64url")],
    );
    edges.push({
      shields: shields.slice(index * each, (index + 1) * each),
      call: createClient({
        baseUrl: apiUrl,
        headers: () => ({ authorization: `Bearer ${credential}` }),
      }),
      bootId: randomUUID(),
      seq: 0,
    });
  }
  return edges;
}

export interface NumberedReport {
  readonly boot_id: string;
  readonly seq: number;
  readonly minutes: readonly MinuteCounters[];
}

/** One minute of all shields of the edge. */
export function nextReport(edge: SimulatedEdge, minute: string, sent: Sent): NumberedReport {
  edge.seq += 1;
  const minutes = edge.shields.map((shield_id, index) => countersOf(shield_id, minute, index));
  for (const { joins, bytes_up, bytes_down, refused } of minutes) {
    sent.rows += 1;
    sent.joins += joins;
    sent.bytes += bytes_up + bytes_down;
    sent.rate += refused.rate ?? 0;
  }
  return { boot_id: edge.bootId, seq: edge.seq, minutes };
}

/** @returns whether this copy was the one that counted */
export async function deliver(edge: SimulatedEdge, report: NumberedReport): Promise<boolean> {
  const { data } = await edge.call(edgeRoutes.telemetry, {
    body: { ...report, minutes: [...report.minutes], live: [] },
    signal: AbortSignal.timeout(60_000),
  });
  return data.accepted;
}

/** A shield with some players, a few refusals, and a join now and then. */
function countersOf(shield_id: string, minute: string, index: number): MinuteCounters {
  const players = 1 + (index % 40);
  const joins = index % 3;
  const details = {
    attack_bytes: 300,
    connections_max: 1,
    checks: 6,
    checks_up: 6,
    latency_ms: 120,
    tops: joins > 0 ? [[`p:${765 + (index % 5)}`, joins] as [string, number]] : [],
    sketch: Array.from({ length: joins }, (_, n) => ((index * 977 + n * 4_099) % 4_096) * 16 + 1),
  };
  return {
    shield_id,
    minute,
    joins,
    pings: 20,
    refused: index % 4 === 0 ? { rate: 2 } : {},
    shadowed: {},
    bytes_up: 20_000,
    bytes_down: 300_000,
    player_seconds: 60 * players,
    players_max: players,
    status_hits: 18,
    challenged: 0,
    verified: 0,
    details,
  };
}
