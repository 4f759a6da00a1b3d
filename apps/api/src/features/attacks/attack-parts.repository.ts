import type { AttackReport } from "@palisade/contract/edge/telemetry";
import { antibotLevels } from "@palisade/contract/edge/plain-values";
import { sql } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { KnownAttack } from "./attack-merger.ts";
import type { MergedPart } from "./merge-reports.ts";

/** Limit of one attack on one edge; keeps the sum over edges within the range of JSON numbers. */
const countMax = 1_000_000_000_000;

/** Distinguishes these locks from other advisory locks. */
const lockClass = 7_262_393;

/**
 * Serialises reports about attacks on these shields and edges until `trx` ends.
 *
 * @returns the time, by the database's clock
 */
export async function lockAttacks(trx: Trx, scopes: readonly string[]): Promise<Date> {
  await sql`
    select pg_advisory_xact_lock(${sql.lit(lockClass)}, key)
    from (select distinct hashtext(scope) as key from unnest(${scopes}::text[]) scope order by 1) keys
  `.execute(trx);
  // A statement of its own: only a statement that starts after the lock sees what was committed under it.
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(trx);
  return rows[0]?.now ?? new Date();
}

export async function selectParts(trx: Trx, edgeId: string, partIds: readonly string[]) {
  const rows = await trx
    .selectFrom("attack_parts")
    .select([
      "part_id as partId",
      "attack_id as attackId",
      "boot_id as bootId",
      "seq",
      "started_at as startedAt",
      "ended_at as endedAt",
      "is_lost as isLost",
      "refused",
    ])
    .where("edge_id", "=", edgeId)
    .where(sql<boolean>`part_id = any(${partIds}::uuid[])`)
    .execute();
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
}

/**
 * Attacks on the shields or the edge that are not over or ended after `since`. The end of an attack
 * that is not over is the end of its other parts, or its start when there are none.
 */
export async function selectAttacksNear(
  db: Executor,
  near: {
    readonly shieldIds: readonly string[];
    readonly edgeId: string;
    readonly partIds: readonly string[];
    readonly since: Date;
  },
): Promise<KnownAttack[]> {
  // Two subqueries, each with an index of its own, because old shields have many attacks.
  const isNear = sql`(shield_id = any(${near.shieldIds}::uuid[]) or edge_id = ${near.edgeId})`;
  const { rows } = await sql<KnownAttack>`
    select id, shield_id as "shieldId", started_at as "startedAt", is_over as "isOver",
      case when is_over then ended_at else (
        select case when count(*) = 0 then attacks.started_at
          when bool_and(part.ended_at is not null) then max(part.ended_at) end
        from attack_parts part where part.attack_id = attacks.id
          and not (part.edge_id = ${near.edgeId} and part.part_id = any(${near.partIds}::uuid[]))
      ) end as "endedAt"
    from (
      select * from attacks where not is_over and ${isNear}
      union all
      select * from attacks where is_over and ended_at >= ${near.since} and ${isNear}
    ) attacks
    order by started_at desc
  `.execute(db);
  return rows;
}

export async function insertAttacks(
  trx: Trx,
  edgeId: string,
  attacks: readonly KnownAttack[],
): Promise<void> {
  if (attacks.length === 0) return;
  const rows = attacks.map((attack) => ({
    id: attack.id,
    shield_id: attack.shieldId,
    edge_id: attack.shieldId === null ? edgeId : null,
    started_at: attack.startedAt,
    ended_at: attack.endedAt,
    is_over: attack.isOver,
  }));
  await sql`
    insert into attacks (id, shield_id, edge_id, started_at, ended_at, is_over)
    select id, shield_id, edge_id, started_at, ended_at, is_over
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as begun (id uuid, shield_id uuid,
      edge_id uuid, started_at timestamptz, ended_at timestamptz, is_over boolean)
  `.execute(trx);
}

/** The report that a part came with. */
export interface ReportNumber {
  readonly edgeId: string;
  readonly bootId: string;
  readonly seq: number;
}

export async function upsertParts(
  trx: Trx,
  told: ReportNumber,
  parts: readonly MergedPart[],
): Promise<void> {
  const rows = parts.map(({ report, attackId, startedAt, endedAt, refused }) => ({
    part_id: report.id,
    attack_id: attackId,
    started_at: startedAt,
    ended_at: endedAt,
    refused: capped(refused),
    peak_per_second: Math.min(report.peak_per_second, countMax),
    datagrams_peak: Math.min(report.datagrams_peak ?? 0, countMax),
    sources: Math.min(report.sources, countMax),
    relaxed_to: report.relaxed_to,
  }));
  await sql`
    insert into attack_parts (edge_id, boot_id, seq, heard_at, part_id, attack_id, started_at,
      ended_at, refused, peak_per_second, datagrams_peak, sources, relaxed_to)
    select ${told.edgeId}::uuid, ${told.bootId}::uuid, ${told.seq}::bigint, clock_timestamp(),
      part_id, attack_id, started_at, ended_at, refused, peak_per_second, datagrams_peak, sources,
      relaxed_to
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as told (
      part_id uuid, attack_id uuid, started_at timestamptz, ended_at timestamptz, refused jsonb,
      peak_per_second bigint, datagrams_peak bigint, sources bigint, relaxed_to text)
    on conflict (edge_id, part_id, attack_id) do update set boot_id = excluded.boot_id,
      seq = excluded.seq, heard_at = excluded.heard_at, missed_at = null, is_lost = false,
      ended_at = excluded.ended_at, refused = excluded.refused,
      peak_per_second = excluded.peak_per_second, datagrams_peak = excluded.datagrams_peak,
      sources = excluded.sources, relaxed_to = excluded.relaxed_to
  `.execute(trx);
}

function capped(refused: AttackReport["refused"]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(refused).map(([reason, count]) => [reason, Math.min(count, countMax)]),
  );
}

/** Recomputes attacks from their parts. */
export async function refreshAttacks(trx: Trx, attackIds: readonly string[]): Promise<void> {
  const levels = sql`array[${sql.join(antibotLevels.map((level) => sql.lit(level)))}]::text[]`;
  await sql`
    update attacks set started_at = sums.started_at, ended_at = sums.ended_at,
      peak_per_second = sums.peak_per_second, datagrams_peak = sums.datagrams_peak,
      sources = sums.sources, edges = sums.edges,
      relaxed_to = sums.relaxed_to, refused = coalesce(refusals.refused, '{}')
    from (
      select attack_id, min(started_at) as started_at,
        case when bool_and(ended_at is not null) then max(ended_at) end as ended_at,
        sum(peak_per_second) as peak_per_second, sum(datagrams_peak) as datagrams_peak,
        max(sources) as sources,
        count(distinct edge_id) as edges,
        (${levels})[min(array_position(${levels}, relaxed_to))] as relaxed_to
      from attack_parts where attack_id = any(${attackIds}::uuid[]) group by 1
    ) sums left join (
      select attack_id, jsonb_object_agg(reason, count) as refused from (
        select attack_id, key as reason, sum(value::bigint) as count
        from attack_parts, jsonb_each_text(refused)
        where attack_id = any(${attackIds}::uuid[]) group by 1, 2
      ) reasons group by 1
    ) refusals using (attack_id)
    where attacks.id = sums.attack_id
  `.execute(trx);
}

/**
 * Inserts each kind of event once per attack, even when a report is repeated. A relaxed level that
 * is told after the end was announced is no news.
 *
 * @returns the new ones, with the figures of their attacks as they now are
 */
export async function insertEvents(trx: Trx, attackIds: readonly string[]) {
  const attacks = await trx
    .selectFrom("attacks")
    .select([
      "id",
      "shield_id",
      "started_at",
      "ended_at",
      "is_over",
      "peak_per_second",
      "datagrams_peak",
      "sources",
      "refused",
      "relaxed_to",
      sql<{ java: number; bedrock: number }>`(
        select jsonb_build_object(
          'java', least(coalesce(sum((detail -> 'editions' ->> 'java')::numeric), 0), 1e15),
          'bedrock', least(coalesce(sum((detail -> 'editions' ->> 'bedrock')::numeric), 0), 1e15))
        from attack_part_details where attack_id = attacks.id)`.as("editions"),
      // Parts do not say when it was: while the attack lasts, some seconds ago.
      sql<Date>`date_trunc('milliseconds', least(clock_timestamp(), ended_at))`.as("relaxed_at"),
      sql<boolean>`exists (select from attack_events told
        where told.attack_id = attacks.id and told.kind = 'stopped')`.as("is_told"),
    ])
    .where(sql<boolean>`id = any(${attackIds}::uuid[])`)
    .execute();
  const events = attacks.flatMap((attack) =>
    eventsOf(attack).map((event) => ({ id: newId(), attack_id: attack.id, ...event })),
  );
  if (events.length === 0) return [];
  const inserted = await trx
    .insertInto("attack_events")
    .values(events)
    .onConflict((conflict) => conflict.columns(["attack_id", "kind"]).doNothing())
    .returning("id")
    .execute();
  const isNew = new Set(inserted.map(({ id }) => id));
  return events
    .filter(({ id }) => isNew.has(id))
    .flatMap(({ attack_id, kind, at }) => {
      const attack = attacks.find(({ id }) => id === attack_id);
      return attack === undefined ? [] : [{ kind, at, attack }];
    });
}

export type NewAttackEvent = Awaited<ReturnType<typeof insertEvents>>[number];

function eventsOf(attack: {
  readonly started_at: Date;
  readonly ended_at: Date | null;
  readonly is_over: boolean;
  readonly relaxed_to: string | null;
  readonly relaxed_at: Date;
  /** The end was announced. */
  readonly is_told: boolean;
}) {
  const { started_at, ended_at, is_over, relaxed_to, relaxed_at, is_told } = attack;
  return [
    { kind: "started" as const, at: started_at },
    ...(relaxed_to === null || is_told ? [] : [{ kind: "relaxed" as const, at: relaxed_at }]),
    ...(ended_at === null || !is_over ? [] : [{ kind: "stopped" as const, at: ended_at }]),
  ];
}
