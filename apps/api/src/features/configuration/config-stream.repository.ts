import { sql } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { NodeKind } from "#src/schema/edges.ts";

/** A receiver of the stream: an edge gets the shields of its location, zone DNS every label. */
export interface Audience {
  readonly kind: NodeKind;
  readonly location: string;
  readonly schema: number;
}

export interface StreamRow {
  readonly shield_id: string;
  readonly revision: number;
  readonly version: string;
  /** False where the node is to drop the shield. */
  readonly is_present: boolean;
  /** JSON text. */
  readonly config: string;
}

const pageRowsMax = 500;
/** Encoded configurations of one page; one larger than that is a page of its own. */
const pageBytesMax = 1024 * 1024;

/** The newest version, and the history it counts in: a restored database begins another. */
export async function selectHead(
  db: Executor,
): Promise<{ readonly version: number; readonly epoch: string }> {
  const row = await db
    .selectFrom("config_head")
    .select(["version", "epoch"])
    .executeTakeFirstOrThrow();
  return { version: Number(row.version), epoch: row.epoch };
}

/** Begins another history for the versions. */
export async function renewEpoch(trx: Trx): Promise<void> {
  await trx
    .updateTable("config_head")
    .set({ epoch: sql<string>`gen_random_uuid()` })
    .execute();
}

/** The newest version the node acknowledged; 0 where it never did. */
export async function selectAcknowledged(db: Executor, edgeId: string): Promise<number> {
  const row = await db
    .selectFrom("edges")
    .select("config_version")
    .where("id", "=", edgeId)
    .executeTakeFirst();
  return Number(row?.config_version ?? 0);
}

/**
 * Whether every shield has its configuration in that schema. After an upgrade that takes a while,
 * and a node would treat a missing shield as deleted.
 */
export async function selectIsCompiled(db: Executor, schema: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from shield_configs other
    where other.schema <> ${schema} and not exists (
      select from shield_configs own
      where own.shield_id = other.shield_id and own.schema = ${schema}
    )
    limit 1
  `.execute(db);
  return rows.length === 0;
}

/** Records the version of the node's own program; undefined where it does not say it. */
export async function noteProgram(
  db: Executor,
  edgeId: string,
  version: string | undefined,
): Promise<void> {
  await sql`
    update edges set program_version = ${version ?? null}
    where id = ${edgeId} and program_version is distinct from ${version ?? null}
  `.execute(db);
}

/**
 * Records the schema in which the node receives its configuration.
 *
 * @returns the version from which on it receives that schema
 */
export async function noteSchema(db: Executor, edgeId: string, schema: number): Promise<number> {
  await sql`
    update edges set config_schema = ${schema},
      -- One that never ran a version goes on from none.
      schema_since = case when config_version = 0 then 0 else head.version + 1 end
    from config_head head where edges.id = ${edgeId} and config_schema <> ${schema}
  `.execute(db);
  const row = await db
    .selectFrom("edges")
    .select("schema_since")
    .where("id", "=", edgeId)
    .executeTakeFirst();
  return Number(row?.schema_since ?? 0);
}

/** Present shields in the order of their ids; call it within one repeatable-read transaction. */
export async function selectSnapshotPage(
  db: Executor,
  audience: Audience,
  { now, afterId }: { readonly now: Date; readonly afterId: string | null },
): Promise<readonly StreamRow[]> {
  const { rows } = await sql<StreamRow>`
    with candidates as (
      select ${columns(audience, now)}
      from shield_configs config join shields shield on shield.id = config.shield_id
      where config.schema = ${audience.schema} and ${isPresent(audience)}
        and (${afterId}::uuid is null or config.shield_id > ${afterId}::uuid)
      order by config.shield_id limit ${pageRowsMax}
    )
    ${pageOf("shield_id")}
  `.execute(db);
  return rows;
}

/**
 * Changes after `since` in the order of their versions, coalesced: of each shield only its
 * newest. Versions are committed in their order, so nothing below the last one can still come.
 * Shields that the node never had are left out, including their ids.
 */
export async function selectDeltaPage(
  db: Executor,
  audience: Audience,
  { now, since }: { readonly now: Date; readonly since: number },
): Promise<readonly StreamRow[]> {
  const { rows } = await sql<StreamRow>`
    with candidates as (
      select ${columns(audience, now)}
      from shield_configs config join shields shield on shield.id = config.shield_id
      where config.schema = ${audience.schema} and config.version > ${since}
        and (${isPresent(audience)} or ${wasPresent(audience)})
      order by config.version limit ${pageRowsMax}
    )
    ${pageOf("version")}
  `.execute(db);
  return rows;
}

/** As many candidates as fit a page, at least one. */
function pageOf(order: "shield_id" | "version") {
  return sql`
    select shield_id, revision, version, is_present, config from (
      select *, sum(config_bytes) over (order by ${sql.ref(order)}) as bytes,
        row_number() over (order by ${sql.ref(order)}) as place
      from candidates
    ) measured
    where bytes <= ${pageBytesMax} or place = 1 order by ${sql.ref(order)}`;
}

function columns(audience: Audience, now: Date) {
  const config =
    audience.kind === "edge"
      ? sql`config.config`
      : // Without a try address as it ever was: zone DNS of the version before reads it.
        sql`(jsonb_build_object('schema', 1, 'shield_id', config.shield_id,
          'revision', config.revision, 'label', shield.cname_record,
          'location', shield.location) || coalesce((
            select jsonb_build_object('try_label', host) from shield_try_addresses try_address
            where try_address.shield_id = config.shield_id and expires_at > ${now}
          ), '{}'))::text`;
  return sql`config.shield_id, config.revision, config.version, config.config_bytes,
    ${isPresent(audience)} as is_present, ${config} as config`;
}

function isPresent({ kind, location }: Audience) {
  return kind === "edge"
    ? sql`${location} = any (config.locations)`
    : sql`cardinality(config.locations) > 0`;
}

function wasPresent({ kind, location }: Audience) {
  return kind === "edge" ? sql`${location} = any (config.left_locations)` : sql`true`;
}
