import type { Edition } from "@palisade/contract/edge/plain-values";
import { sql } from "kysely";
import type { Trx } from "#src/platform/database/db.ts";
import { isRecent } from "#src/features/liveness/liveness.service.ts";

/** Older reports are no longer about now. */
const reportedSeconds = 300;

/** The tables and the port of each edition: a server is watched at both of its ports. */
const watched = {
  java: {
    health: sql.table("backend_health"),
    watches: sql.table("backend_watches"),
    port: sql.ref("backend.port"),
  },
  bedrock: {
    health: sql.table("bedrock_health"),
    watches: sql.table("bedrock_watches"),
    port: sql.ref("backend.bedrock_port"),
  },
} as const satisfies Record<Edition, unknown>;

/** Down where every edge that has checked the backend says so. */
function seenAt(edition: Edition) {
  return sql`
    select health.backend_id, bool_and(health.state = 'down') as is_down
    from ${watched[edition].health} health join edges on edges.id = health.edge_id
    where edges.revoked_at is null and ${isRecent("edges.last_seen_at")}
      and health.state <> 'unknown'
      and health.reported_at > clock_timestamp() - make_interval(secs => ${sql.lit(reportedSeconds)})
    group by health.backend_id`;
}

/** As they are when they are first seen. */
export async function adoptNewBackends(trx: Trx, edition: Edition): Promise<void> {
  const { watches } = watched[edition];
  await sql`
    insert into ${watches} (backend_id, is_down, changed_at)
    select seen.backend_id, seen.is_down, clock_timestamp() from (${seenAt(edition)}) seen
    where not exists (select from ${watches} known where known.backend_id = seen.backend_id)
    on conflict do nothing
  `.execute(trx);
}

/** Since when edges have said something else than what was told last; without reports, nothing counts. */
export async function noteDifferences(trx: Trx, edition: Edition): Promise<void> {
  const { watches } = watched[edition];
  await sql`
    update ${watches} known
    set differs_since = case when seen.is_down <> known.is_down then clock_timestamp() end
    from (${seenAt(edition)}) seen
    where seen.backend_id = known.backend_id
      and (seen.is_down <> known.is_down) <> (known.differs_since is not null)
  `.execute(trx);
  await sql`
    update ${watches} known set differs_since = null
    where known.differs_since is not null
      and not exists (select from (${seenAt(edition)}) seen where seen.backend_id = known.backend_id)
  `.execute(trx);
}

export interface ChangedBackend {
  readonly backend_id: string;
  readonly shield_id: string;
  readonly is_down: boolean;
  readonly since: Date;
  readonly address: string;
  readonly group_name: string;
}

export async function takeChangedBackends(
  trx: Trx,
  edition: Edition,
  seconds: number,
): Promise<ChangedBackend[]> {
  const { watches, port } = watched[edition];
  const { rows } = await sql<ChangedBackend>`
    with due as (
      select known.backend_id, known.differs_since
      from ${watches} known join (${seenAt(edition)}) seen on seen.backend_id = known.backend_id
      where known.differs_since <= clock_timestamp() - make_interval(secs => ${seconds})
        and seen.is_down <> known.is_down
      for update of known
    )
    update ${watches} known
    set is_down = not known.is_down, differs_since = null, changed_at = clock_timestamp()
    from due, backends backend, backend_groups owning
    where due.backend_id = known.backend_id and backend.id = known.backend_id
      and owning.id = backend.group_id
    returning known.backend_id, owning.shield_id, known.is_down, due.differs_since as since,
      case when backend.host like '%:%' then '[' || backend.host || ']' else backend.host end
        || ':' || ${port} as address,
      owning.name as group_name
  `.execute(trx);
  return rows;
}
