import { sql } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { ListType } from "#src/schema/shields.ts";
import type { EntryEnd, ShieldRows } from "./compile/compile-shield.ts";
import { parseMitigation } from "./mitigation-settings.service.ts";

export interface ConfigurationRows extends ShieldRows {
  readonly shield: ShieldRows["shield"] & {
    readonly revision: number;
    readonly location: string;
    readonly server_name: string;
  };
  readonly bedrock: ShieldRows["bedrock"] & { readonly default_granted: boolean };
  /** Locations that players may still reach because of cached DNS answers. */
  readonly stillServing: readonly string[];
}

/**
 * The shield with its plan's limits, locked against other changes until `trx` ends. Without a join:
 * one that waits for a change of the plan would find no shield, because the row that it had joined
 * is not the plan any more.
 */
export function lockShield(trx: Trx, shieldId: string) {
  return trx
    .selectFrom("shields")
    .select((eb) => [
      "shields.id",
      "shields.status",
      eb
        .selectFrom("pricing_plans")
        .select("pricing_plans.limits")
        .whereRef("pricing_plans.id", "=", "shields.pricing_plan_id")
        .as("plan_limits"),
      eb
        .exists(
          eb
            .selectFrom("shield_settings")
            .select("shield_settings.area")
            .whereRef("shield_settings.shield_id", "=", "shields.id"),
        )
        .as("is_recorded"),
    ])
    .where("shields.id", "=", shieldId)
    .forNoKeyUpdate("shields")
    .executeTakeFirst();
}

/** Decides whether the shield is to have a configuration. */
export function selectStatus(db: Executor, shieldId: string) {
  return db
    .selectFrom("shields")
    .select(["status", "revision"])
    .where("id", "=", shieldId)
    .executeTakeFirstOrThrow();
}

/** The tables of one shield, in the orders a configuration lists them. */
export async function selectShieldRows(db: Executor, shieldId: string): Promise<ConfigurationRows> {
  const shield = await db
    .selectFrom("shields")
    .innerJoin("pricing_plans", "pricing_plans.id", "shields.pricing_plan_id")
    .select([
      "shields.id",
      "shields.status",
      "shields.traffic_used_up",
      "shields.cname_record",
      "shields.location",
      "shields.revision",
      "shields.server_name",
      "pricing_plans.limits as plan_limits",
    ])
    .where("shields.id", "=", shieldId)
    .executeTakeFirstOrThrow();
  const domains = await db
    .selectFrom("shield_domains")
    .select(["name", "created_at", "verified_at", "group_id"])
    .where("shield_id", "=", shieldId)
    .where("expired_at", "is", null)
    .where("removed_at", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  const groups = await db
    .selectFrom("backend_groups")
    .select(["id", "name", "balancing", "proxy_protocol", "is_default", "game", "region", "port"])
    .where("shield_id", "=", shieldId)
    .orderBy("is_default", "desc")
    .orderBy("id")
    .execute();
  const backends = await db
    .selectFrom("backends")
    .innerJoin("backend_groups", "backend_groups.id", "backends.group_id")
    .leftJoin("backend_proofs", (join) =>
      join
        .onRef("backend_proofs.shield_id", "=", "backend_groups.shield_id")
        .onRef("backend_proofs.host", "=", "backends.host")
        .onRef("backend_proofs.port", "=", "backends.port"),
    )
    .select([
      "backends.id",
      "backends.group_id",
      "backends.host",
      "backends.port",
      "backends.bedrock_port",
      "backends.bedrock_proxy",
      "backend_proofs.kind as proof_kind",
      "backend_proofs.address as proof_address",
    ])
    .where("backend_groups.shield_id", "=", shieldId)
    .orderBy("backends.id")
    .execute();
  const lists = await selectLists(db, shieldId);
  const networkRules = await selectNetworkRules(db, shieldId);
  const messages = await db
    .selectFrom("shield_messages")
    .selectAll()
    .where("shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
  const caching = await db
    .selectFrom("shield_caching")
    .select(["enabled", "purges"])
    .where("shield_id", "=", shieldId)
    .executeTakeFirst();
  const mitigation = await db
    .selectFrom("shield_mitigation")
    .select("settings")
    .where("shield_id", "=", shieldId)
    .executeTakeFirst();
  const tryAddress = await db
    .selectFrom("shield_try_addresses")
    .select(["host", "challenge", "expires_at"])
    .where("shield_id", "=", shieldId)
    .executeTakeFirst();
  const left = await db
    .selectFrom("shield_left_locations")
    .select("location")
    .where("shield_id", "=", shieldId)
    .execute();
  const stillServing = left.map(({ location }) => location);
  return {
    shield,
    domains,
    groups,
    backends,
    ...lists,
    networkRules,
    messages,
    // Made by an api of the version before, a shield has no row yet.
    caching: caching ?? { enabled: true, purges: 0 },
    mitigation: parseMitigation(mitigation?.settings),
    tryAddress,
    bedrock: await selectBedrock(db, shieldId, stillServing),
    stillServing,
  };
}

/** In a location that the shield has left, its default port rests: edges there still serve it. */
async function selectBedrock(
  db: Executor,
  shieldId: string,
  stillServing: readonly string[],
): Promise<ConfigurationRows["bedrock"]> {
  const setting = await db
    .selectFrom("shield_bedrock")
    .select(["enabled", "default_granted"])
    .where("shield_id", "=", shieldId)
    .executeTakeFirst();
  const rows = await db
    .selectFrom("bedrock_ports")
    .select(["port", "location", "removed_at"])
    .where("shield_id", "=", shieldId)
    .where((eb) => eb.or([eb("removed_at", "is", null), eb("location", "is not", null)]))
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  const held = rows.filter(({ removed_at }) => removed_at === null);
  const left = rows.flatMap(({ port, location, removed_at }) =>
    removed_at !== null && location !== null && stillServing.includes(location)
      ? [{ port, location }]
      : [],
  );
  return {
    enabled: setting?.enabled ?? false,
    default_granted: setting?.default_granted ?? false,
    ports: held.map(({ port, location }) => ({
      port,
      locations:
        location === null
          ? null
          : [location, ...left.filter((was) => was.port === port).map((was) => was.location)],
    })),
  };
}

type Lists = Pick<ShieldRows, "firewall" | "entries" | "names" | "notes" | "ends">;

/** The lists of addresses and names without entries that have ended, and whether each is turned on. */
export async function selectLists(db: Executor, shieldId: string): Promise<Lists> {
  const firewall = await db
    .selectFrom("shield_firewalls")
    .select(["blacklist_enabled", "whitelist_enabled", "whitelist_only"])
    .where("shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
  return { firewall, ...(await selectEntries(db, shieldId)) };
}

/** By country and network, the newest first. */
export function selectNetworkRules(
  db: Executor,
  shieldId: string,
): Promise<ShieldRows["networkRules"]> {
  return db
    .selectFrom("firewall_network_rules")
    .select(["country", "asn", "action", "expires_at"])
    .where("shield_id", "=", shieldId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

/**
 * Newest first. A list is one value: as rows, twenty thousand of them are slow to send and to read,
 * and every change of the shield waits for that.
 */
async function selectEntries(db: Executor, shieldId: string): Promise<Omit<Lists, "firewall">> {
  const { rows } = await sql<{
    list: ListType;
    kind: "entries" | "names";
    texts: string;
    notes: string | null;
    ends: string | null;
  }>`
    select list, 'entries' as kind, ${columnsOfLists("address")}
    from firewall_entries where shield_id = ${shieldId} and not ended group by list
    union all
    select list, 'names', ${columnsOfLists("name")}
    from firewall_names where shield_id = ${shieldId} and not ended group by list
  `.execute(db);
  const entries: Partial<Record<ListType, readonly string[]>> = {};
  const names: Partial<Record<ListType, readonly string[]>> = {};
  const notes: Partial<Record<ListType, string[]>> = {};
  const ends: Partial<Record<ListType, EntryEnd[]>> = {};
  for (const row of rows) {
    const { list } = row;
    (row.kind === "entries" ? entries : names)[list] = row.texts.split(" ");
    notes[list] = [...(notes[list] ?? []), ...linesOf(row.notes)];
    ends[list] = [...(ends[list] ?? []), ...linesOf(row.ends).map(endOf)];
  }
  return { entries, names, notes, ends };
}

/** A note has no line break. */
function columnsOfLists(column: "address" | "name") {
  const entry = sql.ref(column);
  return sql`string_agg(${entry}, ' ' order by id desc) as texts,
    string_agg(${entry} || ' ' || note, E'\\n' order by id desc) filter (where note <> '') as notes,
    string_agg(${entry} || ' ' || (extract(epoch from expires_at) * 1000)::bigint, E'\\n'
      order by id desc) filter (where expires_at is not null) as ends`;
}

function linesOf(text: string | null): string[] {
  return text === null ? [] : text.split("\n");
}

function endOf(line: string): EntryEnd {
  const [entry = "", ms] = line.split(" ");
  return [entry, Number(ms)];
}

/**
 * Locations that have the shield's configuration now or had it before, in any schema, because an
 * api of the previous version writes only its own.
 */
export async function selectLocationsEver(trx: Trx, shieldId: string): Promise<string[]> {
  const { rows } = await sql<{ location: string }>`
    select distinct unnest(locations || left_locations) as location
    from shield_configs where shield_id = ${shieldId} order by location
  `.execute(trx);
  return rows.map(({ location }) => location);
}

export async function setRevision(trx: Trx, shieldId: string, revision: number): Promise<void> {
  await trx.updateTable("shields").set({ revision }).where("id", "=", shieldId).execute();
}

export interface Publication {
  readonly shieldId: string;
  readonly revision: number;
  readonly locations: readonly string[];
  readonly leftLocations: readonly string[];
  readonly cookieSalt: string;
  /** By schema version, newest first; empty texts when no edge should have the shield any more. */
  readonly configs: readonly (readonly [schema: number, config: string])[];
}

/**
 * Stores the configuration without the version that `publish` gives it. Long texts are compressed
 * here, where only changes of the same shield wait.
 */
export async function storeConfigs(trx: Trx, publication: Publication): Promise<void> {
  const { shieldId, revision, configs } = publication;
  const given = sql.join(
    configs.map(([schema, config]) => sql`(${schema}::integer, ${config}::text)`),
  );
  await sql`
    with given (schema, config) as (values ${given}), kept as (
      insert into shield_revisions (shield_id, revision, version, config, committed_at)
      select ${shieldId}::uuid, ${revision}::integer, 0, config, clock_timestamp() from given
      order by schema desc limit 1
    )
    insert into shield_configs (shield_id, schema, revision, version, locations, left_locations,
      config, config_bytes, cookie_salt)
    select ${shieldId}::uuid, schema, ${revision}::integer, 0, ${publication.locations}::text[],
      ${publication.leftLocations}::text[], config, octet_length(config),
      ${publication.cookieSalt}::numeric
    from given
    on conflict (shield_id, schema) do update set revision = excluded.revision,
      locations = excluded.locations, left_locations = excluded.left_locations,
      config = excluded.config, config_bytes = excluded.config_bytes,
      cookie_salt = excluded.cookie_salt
  `.execute(trx);
}

/**
 * Takes the next global version for what was stored. The head's row stays locked until `trx` ends,
 * so the next one waits: versions become visible in their order and none is ever skipped; a
 * rollback gives its number back. One short statement, because all commits queue for it. The
 * database times revisions and acknowledgements, because the clocks of two machines differ.
 */
export async function publish(
  trx: Trx,
  { shieldId, revision }: Pick<Publication, "shieldId" | "revision">,
): Promise<number> {
  const { rows } = await sql<{ version: string }>`
    with head as (
      update config_head set version = version + 1 returning version
    ), revision as (
      update shield_revisions kept set version = head.version, committed_at = clock_timestamp()
      from head where kept.shield_id = ${shieldId} and kept.revision = ${revision}
    ), stored as (
      update shield_configs config set version = head.version
      from head where config.shield_id = ${shieldId} and config.revision = ${revision}
    )
    select version from head
  `.execute(trx);
  return Number(rows[0]?.version);
}

export async function pruneRevisions(
  trx: Trx,
  shieldId: string,
  oldestKept: number,
): Promise<void> {
  await trx
    .deleteFrom("shield_revisions")
    .where("shield_id", "=", shieldId)
    .where("revision", "<", oldestKept)
    .execute();
}
