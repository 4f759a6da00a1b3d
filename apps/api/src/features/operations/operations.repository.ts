import { configSchemaVersion } from "@palisade/contract/edge/shield-config";
import { sql } from "kysely";
import { isRecent } from "#src/features/liveness/liveness.service.ts";
import type { Executor } from "#src/platform/database/db.ts";
import { jobSchema } from "#src/platform/database/job-schema.ts";

type Counts<Name extends string> = Readonly<Record<Name, string>>;

async function one<Row>(query: ReturnType<typeof sql<Row>>, db: Executor): Promise<Row> {
  const { rows } = await query.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("A count answered no row");
  return row;
}

export function selectTraffic(db: Executor) {
  return one(
    sql<Counts<"players" | "connections_per_second" | "bandwidth_bps" | "attacks">>`
      select coalesce(sum(players), 0) as players,
        coalesce(sum(connections_per_second), 0) as connections_per_second,
        coalesce(sum(bandwidth_bps), 0) as bandwidth_bps,
        (select count(*) from attacks where not is_over) as attacks
      from live_gauges where ${isRecent("live_gauges.at")}`,
    db,
  );
}

export function countShields(db: Executor) {
  return one(
    sql<Counts<"active" | "expired" | "blocked" | "traffic_used_up">>`
      select count(*) filter (where status = 'active') as active,
        count(*) filter (where status = 'expired') as expired,
        count(*) filter (where status = 'blocked') as blocked,
        count(*) filter (where status = 'active' and traffic_used_up) as traffic_used_up
      from shields`,
    db,
  );
}

/** Edges and DNS servers that are not revoked. */
export function countEdges(db: Executor) {
  const isOnline = sql`enrolled_at is not null and ${isRecent("edges.last_seen_at")}`;
  return one(
    sql<Counts<"online" | "offline" | "drained" | "invited" | "behind" | "rejecting">>`
      select count(*) filter (where ${isOnline}) as online,
        count(*) filter (where enrolled_at is not null and not (${isOnline})) as offline,
        count(*) filter (where enrolled_at is not null and drained) as drained,
        count(*) filter (where enrolled_at is null) as invited,
        count(*) filter (where ${isOnline} and kind = 'edge'
          and config_version < (select version from config_head)) as behind,
        (select count(distinct edge_acks.shield_id) from edge_acks
          join edges on edges.id = edge_acks.edge_id and edges.revoked_at is null
          join shield_configs on shield_configs.shield_id = edge_acks.shield_id
            and shield_configs.schema = ${configSchemaVersion}
          where rejected_revision >= shield_configs.revision) as rejecting
      from edges where revoked_at is null`,
    db,
  );
}

export interface QueueRow extends Counts<"waiting" | "active" | "failed"> {
  readonly name: string;
  readonly oldest_at: Date | null;
}

/** Jobs that wait, run or were given up. Done ones are deleted after an hour, and so are failed ones. */
export async function selectQueues(db: Executor): Promise<QueueRow[]> {
  const { rows } = await sql<QueueRow>`
    select name,
      count(*) filter (where state in ('created', 'retry') and start_after <= now()) as waiting,
      count(*) filter (where state = 'active') as active,
      count(*) filter (where state = 'failed') as failed,
      min(created_on) filter (where state in ('created', 'retry') and start_after <= now())
        as oldest_at
    from ${sql.table(`${jobSchema}.job`)}
    where state in ('created', 'retry', 'active', 'failed')
    group by name
    order by failed desc, waiting desc, name
  `.execute(db);
  return rows;
}

export function countWebhooks(db: Executor, now: Date) {
  return one(
    sql<Counts<"waiting" | "retrying" | "failed" | "disabled">>`
      select count(*) filter (where state = 'pending') as waiting,
        count(*) filter (where state = 'pending' and attempts > 0) as retrying,
        count(*) filter (where state = 'failed'
          and last_at > ${now}::timestamptz - interval '24 hours') as failed,
        (select count(*) from shield_webhooks where disabled_reason is not null) as disabled
      from webhook_deliveries`,
    db,
  );
}

export function selectMoney(db: Executor) {
  return one(
    sql<Counts<"quarantined" | "orders_waiting">>`
      select (select count(*) from quarantined_payments where status = 'open') as quarantined,
        (select count(*) from staff_orders where status = 'waiting') as orders_waiting`,
    db,
  );
}

/** The comparison with a provider's list that is most recent. */
export function selectLastComparison(db: Executor) {
  return db
    .selectFrom("provider_days")
    .select(["day", "provider", "differences"])
    .orderBy("day", "desc")
    .orderBy("checked_at", "desc")
    .limit(1)
    .executeTakeFirst();
}

export function selectVersions(db: Executor) {
  return one(
    sql<Counts<"database" | "config">>`
      select current_setting('server_version') as database,
        (select version from config_head) as config`,
    db,
  );
}
