import { sql } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { PartCourse, PartDetail, Peaks } from "./merge-details.ts";
import type { MergedPart } from "./merge-reports.ts";

/** Stores what the reports tell of the course and the sources; each replaces the one before. */
export async function upsertDetails(
  trx: Trx,
  edgeId: string,
  parts: readonly MergedPart[],
): Promise<void> {
  const rows = parts.flatMap(({ report: { id, detail }, attackId }) =>
    detail === undefined ? [] : [{ part_id: id, attack_id: attackId, detail }],
  );
  if (rows.length === 0) return;
  await sql`
    insert into attack_part_details (edge_id, part_id, attack_id, detail)
    select ${edgeId}::uuid, part_id, attack_id, detail
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as told (part_id uuid, attack_id uuid, detail jsonb)
    on conflict (attack_id, edge_id, part_id) do update set detail = excluded.detail
  `.execute(trx);
}

export interface PartDetailRow extends Omit<PartDetail, "detail"> {
  readonly attackId: string;
  /** Null: this edge has told none. */
  readonly detail: PartDetail["detail"] | null;
}

/** Every part of the attacks, and its detail. */
export async function selectDetails(
  db: Executor,
  attackIds: readonly string[],
): Promise<PartDetailRow[]> {
  const { rows } = await sql<PartDetailRow>`
    select attack_parts.attack_id as "attackId", attack_parts.started_at as "startedAt",
      attack_parts.ended_at as "endedAt", detail
    from attack_parts
    left join attack_part_details using (edge_id, part_id, attack_id)
    where attack_parts.attack_id = any(${attackIds}::uuid[])
    order by attack_parts.started_at, attack_parts.edge_id, attack_parts.part_id
  `.execute(db);
  return rows;
}

/** @param shape in small letters; compared without regard to case */
export async function deleteNames(trx: Trx, shieldId: string, shape: string): Promise<void> {
  await sql`
    update attack_part_details details
    set detail = jsonb_set(detail, '{names}', coalesce((
      select jsonb_agg(name order by position)
      from jsonb_array_elements(detail -> 'names') with ordinality as told (name, position)
      where lower(name ->> 'shape') <> ${shape}
    ), '[]'))
    from attacks
    where attacks.id = details.attack_id and attacks.shield_id = ${shieldId}
      and exists (
        select from jsonb_array_elements(detail -> 'names') name
        where lower(name ->> 'shape') = ${shape}
      )
  `.execute(trx);
}

export interface PartCourseRow extends Omit<PartCourse, "course"> {
  readonly attackId: string;
  /** Null: this edge has told none. */
  readonly course: PartCourse["course"] | null;
}

/** Every part of the attacks, and its course without the sources, because each report needs it. */
export async function selectCourses(
  db: Executor,
  attackIds: readonly string[],
): Promise<PartCourseRow[]> {
  const { rows } = await sql<PartCourseRow>`
    select attack_parts.attack_id as "attackId", attack_parts.started_at as "startedAt",
      attack_parts.ended_at as "endedAt", detail -> 'course' as course
    from attack_parts
    left join attack_part_details using (edge_id, part_id, attack_id)
    where attack_parts.attack_id = any(${attackIds}::uuid[])
  `.execute(db);
  return rows;
}

export async function updatePeaks(trx: Trx, peaks: ReadonlyMap<string, Peaks>): Promise<void> {
  if (peaks.size === 0) return;
  const logins = [...peaks.values()].map((each) => each.logins);
  const datagrams = [...peaks.values()].map((each) => each.datagrams);
  await sql`
    update attacks set peak_per_second = told.logins, datagrams_peak = told.datagrams
    from unnest(${[...peaks.keys()]}::uuid[], ${logins}::bigint[], ${datagrams}::bigint[])
      as told (id, logins, datagrams)
    where attacks.id = told.id
      and (attacks.peak_per_second, attacks.datagrams_peak) <> (told.logins, told.datagrams)
  `.execute(trx);
}
