import type { Edition } from "@palisade/contract/edge/plain-values";
import type { LoggedAttempt, LoginVerdict } from "@palisade/contract/edge/telemetry";
import { sql, type RawBuilder } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";
import type { TimeCursor } from "#src/platform/http/time-cursor.ts";

export interface FoundLogin {
  readonly id: string;
  readonly at: Date;
  readonly verdict: LoginVerdict;
  readonly shadow: boolean;
  readonly player: string;
  readonly ip: string;
  readonly country: string | null;
  readonly asn: string | null;
  readonly network: string | null;
  readonly protocol: number;
  readonly host: string;
  readonly trace: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly edge: string | null;
  readonly score: LoggedAttempt["score"] | null;
  readonly parts: LoggedAttempt["parts"] | null;
  readonly wouldChallenge: LoggedAttempt["would_challenge"] | null;
}

export interface LoginFilter {
  readonly verdicts?: readonly LoginVerdict[] | undefined;
  readonly shadow?: boolean | undefined;
  readonly edition?: Edition | undefined;
  readonly player?: string | undefined;
  readonly country?: string | undefined;
  readonly host?: string | undefined;
  readonly trace?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** The whole of an address, or a CIDR range. */
  readonly ip?: string | undefined;
  /** Texts of which one is part of name, domain and trace code. */
  readonly texts?: readonly string[] | undefined;
}

/** The part of the log that is looked through. The window of days ends now by the database's clock. */
export interface LoginWindow {
  readonly days: number;
  readonly before: TimeCursor | undefined;
  readonly limit: number;
}

/** As the index `login_entries_search` has it: a text never reaches from one part into the next. */
const searched = sql`lower(player || chr(31) || host || chr(31) || trace)`;

const newestFirst = sql`order by "at" desc, id desc`;

function present(source: RawBuilder<unknown>): RawBuilder<FoundLogin> {
  return sql<FoundLogin>`
    select e.id, e."at", e.verdict, e.shadow, e.player, host(e.ip) as ip, e.country, e.asn,
      e.network, e.protocol, e.host, e.trace, e.facts, edges.name as edge,
      e.attempt -> 'score' as score, e.attempt -> 'parts' as parts,
      e.attempt ->> 'would_challenge' as "wouldChallenge"
    from (${source}) e left join edges on edges.id = e.edge_id
    order by e."at" desc, e.id desc
  `;
}

async function run(db: Executor, source: RawBuilder<unknown>): Promise<readonly FoundLogin[]> {
  return (await present(source).execute(db)).rows;
}

function all(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

function inWindow(shieldId: string, { days, before }: Omit<LoginWindow, "limit">) {
  const conditions = [
    sql`shield_id = ${shieldId}`,
    // now() is constant within the statement, so PostgreSQL does not open older partitions.
    sql`"at" >= now() - make_interval(days => ${days})`,
  ];
  if (before !== undefined) {
    // The first is separate, because PostgreSQL does not choose partitions by a pair.
    conditions.push(
      sql`"at" <= ${before.at}::timestamptz`,
      sql`("at", id) < (${before.at}::timestamptz, ${before.id}::uuid)`,
    );
  }
  return conditions;
}

/** The conditions that an index answers in the order of the list. */
function narrow(filter: LoginFilter): RawBuilder<unknown>[] {
  const { shadow, edition, player, country, host, trace, ip, from, to, verdicts } = filter;
  const conditions: RawBuilder<unknown>[] = [];
  if (verdicts?.length === 1) conditions.push(sql`verdict = ${verdicts[0]}`);
  if (shadow !== undefined) conditions.push(shadow ? sql`shadow` : sql`not shadow`);
  // As the index has it; nearly all others are of Java.
  if (edition === "bedrock") conditions.push(sql`facts ->> 'edition' = 'bedrock'`);
  if (edition === "java") conditions.push(sql`facts ->> 'edition' is distinct from 'bedrock'`);
  if (player !== undefined) conditions.push(sql`lower(player) = ${player.toLowerCase()}`);
  if (country !== undefined) conditions.push(sql`country = ${country}`);
  if (host !== undefined) conditions.push(sql`lower(host) = ${host.toLowerCase()}`);
  if (trace !== undefined) conditions.push(sql`trace = ${trace}`);
  if (ip !== undefined && !ip.includes("/")) conditions.push(sql`ip = ${ip}::inet`);
  if (from !== undefined) conditions.push(sql`"at" >= ${from}::timestamptz`);
  if (to !== undefined) conditions.push(sql`"at" < ${to}::timestamptz`);
  return conditions;
}

/** The conditions that match many values: an index finds them, but not in the order of the list. */
function wide({ ip, texts, verdicts }: LoginFilter): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [];
  if (ip?.includes("/") === true) {
    // Addresses are stored whole, so a range is everything from its first to its last.
    conditions.push(
      sql`ip between host(network(${ip}::inet))::inet and host(broadcast(${ip}::inet))::inet`,
    );
  }
  if (texts !== undefined && texts.length > 0) {
    const likes = texts.map((text) => sql`${searched} like ${pattern(text)}`);
    conditions.push(sql`(${sql.join(likes, sql` or `)})`);
  }
  if (verdicts !== undefined && verdicts.length !== 1) {
    conditions.push(sql`verdict = any(${[...verdicts]}::text[])`);
  }
  return conditions;
}

function pattern(text: string): string {
  return `%${text.toLowerCase().replaceAll(/[\\%_]/g, "\\$&")}%`;
}

/** The newest that match, for filters that an index answers in order. */
export function selectLogins(
  db: Executor,
  shieldId: string,
  filter: LoginFilter,
  window: LoginWindow,
): Promise<readonly FoundLogin[]> {
  const conditions = [...inWindow(shieldId, window), ...narrow(filter), ...wide(filter)];
  return run(
    db,
    sql`select * from login_entries where ${all(conditions)} ${newestFirst} limit ${window.limit}`,
  );
}

/** Looks only at the newest `scanned`: what is frequent is found among them at once. */
export function selectAmongNewest(
  db: Executor,
  shieldId: string,
  filter: LoginFilter,
  window: LoginWindow & { readonly scanned: number },
): Promise<readonly FoundLogin[]> {
  const conditions = [...inWindow(shieldId, window), ...narrow(filter)];
  return run(
    db,
    sql`
      select * from (
        select * from login_entries where ${all(conditions)} ${newestFirst} limit ${window.scanned}
      ) newest
      where ${all(wide(filter))} ${newestFirst} limit ${window.limit}
    `,
  );
}

/** The last one that `selectAmongNewest` has looked at; undefined where there were fewer. */
export async function selectLastScanned(
  db: Executor,
  shieldId: string,
  filter: LoginFilter,
  window: Omit<LoginWindow, "limit"> & { readonly scanned: number },
): Promise<TimeCursor | undefined> {
  const conditions = [...inWindow(shieldId, window), ...narrow(filter)];
  const { rows } = await sql<TimeCursor>`
    select "at", id from login_entries where ${all(conditions)}
    ${newestFirst} offset ${window.scanned - 1} limit 1
  `.execute(db);
  return rows[0];
}

/** More matches are read in the order of the list instead, until there are enough. */
const sortedMax = 50_000;

/** All that match since `since`, found by an index and put in order: for what is rare there. */
export function selectByIndex(
  db: Executor,
  shieldId: string,
  filter: LoginFilter,
  window: LoginWindow & { readonly since: Date },
): Promise<readonly FoundLogin[]> {
  const conditions = [
    ...inWindow(shieldId, window),
    sql`"at" >= ${window.since}::timestamptz`,
    ...narrow(filter),
  ];
  const { verdicts } = filter;
  if (verdicts !== undefined && verdicts.length > 1) {
    const others = wide({ ...filter, verdicts: undefined });
    if (others.length === 0) {
      // The index has each verdict in order: the newest of each are enough.
      return run(
        db,
        sql`
          select each.* from unnest(${[...verdicts]}::text[]) wanted (verdict)
          cross join lateral (
            select * from login_entries
            where verdict = wanted.verdict and ${all(conditions)} ${newestFirst}
            limit ${window.limit}
          ) each
          order by each."at" desc, each.id desc limit ${window.limit}
        `,
      );
    }
  }
  const matching = all([...conditions, ...wide(filter)]);
  return run(
    db,
    sql`
      select * from (
        -- Without the order, PostgreSQL takes the index of the condition, not the one of the order.
        with found as materialized (
          select * from login_entries where ${matching} limit ${sql.lit(sortedMax + 1)}
        ), counted as materialized (select count(*) as count from found)
        (
          select * from found where (select count from counted) <= ${sql.lit(sortedMax)}
          ${newestFirst} limit ${window.limit}
        ) union all (
          select * from login_entries
          where ${matching} and (select count from counted) > ${sql.lit(sortedMax)}
          ${newestFirst} limit ${window.limit}
        )
      ) sorted
    `,
  );
}

/** Those that arrived after `after` (ids grow with the time of arrival), the oldest first. */
export async function selectArrived(
  db: Executor,
  shieldId: string,
  filter: LoginFilter,
  window: { readonly after: string; readonly minutes: number; readonly limit: number },
): Promise<readonly FoundLogin[]> {
  const conditions = [
    sql`shield_id = ${shieldId}`,
    sql`"at" >= now() - make_interval(mins => ${window.minutes})`,
    sql`id > ${window.after}::uuid`,
    ...narrow(filter),
    ...wide(filter),
  ];
  const found = await run(
    db,
    sql`select * from login_entries where ${all(conditions)} order by id limit ${window.limit}`,
  );
  return found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
