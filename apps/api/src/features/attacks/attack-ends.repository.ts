import { attackDetailDays } from "@palisade/contract/http/attacks";
import { sql } from "kysely";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { isRecent } from "#src/features/liveness/liveness.service.ts";
import { quietSeconds } from "./attack-merger.ts";

/** Marks attacks as over: nothing continues them from now on. */
export async function endAttacks(trx: Trx, attackIds: readonly string[]): Promise<void> {
  if (attackIds.length === 0) return;
  await sql`
    update attacks set is_over = true where id = any(${attackIds}::uuid[]) and ended_at is not null
  `.execute(trx);
}

/** The attack of the shield or edge, if it has ended and the last report about it is old enough. */
export async function selectRested(trx: Trx, scope: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from attacks
    where (shield_id = ${scope} or edge_id = ${scope}) and ${isRested}
  `.execute(trx);
  return rows.map(({ id }) => id);
}

const isRested = sql<boolean>`ended_at is not null and not is_over and not exists (
  select from attack_parts where attack_parts.attack_id = attacks.id
    and heard_at > clock_timestamp() - make_interval(secs => ${sql.lit(quietSeconds)}))`;

/**
 * Shields and edges with a running attack that no edge has reported for longer than edges are
 * silent, or with an attack whose end is due to be announced.
 */
export async function selectSilentScopes(db: Db): Promise<string[]> {
  const { rows } = await sql<{ scope: string }>`
    select coalesce(attacks.shield_id, attacks.edge_id)::text as scope
    from attack_parts join attacks on attacks.id = attack_parts.attack_id
    where attack_parts.ended_at is null and not ${isRecent("heard_at")}
    union
    select coalesce(shield_id, edge_id)::text from attacks where ${isRested}
    limit 10000
  `.execute(db);
  return rows.map(({ scope }) => scope);
}

/** A start of an edge's program. */
interface Start {
  readonly edgeId: string;
  readonly bootId: string;
}

const isLeft = ({ edgeId, bootId }: Start) => sql<boolean>`attack_parts.ended_at is null
  and attack_parts.edge_id = ${edgeId} and attack_parts.boot_id <> ${bootId}`;

/** Shields and edges with an attack that an earlier start of the edge reported without its end. */
export async function selectLeftScopes(trx: Trx, start: Start): Promise<string[]> {
  const { rows } = await sql<{ scope: string }>`
    select distinct coalesce(attacks.shield_id, attacks.edge_id)::text as scope
    from attack_parts join attacks on attacks.id = attack_parts.attack_id where ${isLeft(start)}
  `.execute(trx);
  return rows.map(({ scope }) => scope);
}

/** @returns the attacks these parts belong to */
export async function endLeftParts(trx: Trx, start: Start): Promise<string[]> {
  const { rows } = await sql<{ attack_id: string }>`
    update attack_parts set ${atLastWord} where ${isLeft(start)} returning attack_id
  `.execute(trx);
  return [...new Set(rows.map((row) => row.attack_id))];
}

const atLastWord = sql`is_lost = true,
  ended_at = greatest(started_at, date_trunc('milliseconds', heard_at))`;

/** A part counts as silent when two checks in a row found it so: in between, its edge could report. */
const lookSeconds = { min: 20, max: 150 } as const;

/**
 * Ends the parts that this check and the one before found silent, at their last report.
 *
 * @returns the attacks these parts belong to
 */
export async function endSilentParts(trx: Trx, scope: string): Promise<string[]> {
  const silent = sql<boolean>`attack_parts.ended_at is null and not ${isRecent("heard_at")}
    and attack_parts.attack_id in (
      select id from attacks where (shield_id = ${scope} or edge_id = ${scope})
        and ended_at is null and not is_over)`;
  const ago = (seconds: number) =>
    sql`clock_timestamp() - make_interval(secs => ${sql.lit(seconds)})`;
  const { rows } = await sql<{ attack_id: string }>`
    update attack_parts set ${atLastWord}
    where ${silent} and missed_at between ${ago(lookSeconds.max)} and ${ago(lookSeconds.min)}
    returning attack_id
  `.execute(trx);
  await sql`
    update attack_parts set missed_at = clock_timestamp()
    where ${silent} and coalesce(missed_at < ${ago(lookSeconds.max)}, true)
  `.execute(trx);
  return [...new Set(rows.map((row) => row.attack_id))];
}

/** Longer than an edge may still report an attack. Their course and their sources go with them. */
const partDaysKept = attackDetailDays;

/** Attacks are kept; the parts each edge reported are not. */
export async function deleteOldParts(db: Db): Promise<void> {
  await sql`
    delete from attack_parts using attacks
    where attacks.id = attack_parts.attack_id
      and attacks.ended_at < clock_timestamp() - make_interval(days => ${sql.lit(partDaysKept)})
  `.execute(db);
}
