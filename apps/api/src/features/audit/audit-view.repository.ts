import { sql } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";

export interface AuditFilter {
  readonly endpoint?: string | undefined;
  readonly method?: string | undefined;
  readonly status?: number | undefined;
  readonly since: Date;
}

export type AuditViewRow = Awaited<ReturnType<typeof selectEntries>>[number];

/** Rows of the user's own chain, and of no other. */
function entriesOf(db: Executor, userId: string, filter: AuditFilter) {
  let query = db
    .selectFrom("audit_log")
    .where("audit_log.chain", "=", `user:${userId}`)
    .where("audit_log.created_at", ">=", filter.since);
  if (filter.method !== undefined) query = query.where("audit_log.method", "=", filter.method);
  if (filter.status !== undefined) {
    query = query.where("audit_log.response_status", "=", filter.status);
  }
  if (filter.endpoint !== undefined && filter.endpoint !== "") {
    const part = filter.endpoint.toLowerCase();
    query = query.where((eb) =>
      eb.or([
        sql<boolean>`position(${part} in lower(audit_log.endpoint)) > 0`,
        sql<boolean>`position(${part} in lower(audit_log.full_url)) > 0`,
      ]),
    );
  }
  return query;
}

export async function countEntries(
  db: Executor,
  userId: string,
  filter: AuditFilter,
): Promise<number> {
  const { rows } = await entriesOf(db, userId, filter)
    .select((eb) => eb.fn.countAll<string>().as("rows"))
    .executeTakeFirstOrThrow();
  return Number(rows);
}

/** Newest first. */
export function selectEntries(
  db: Executor,
  userId: string,
  filter: AuditFilter,
  window: { readonly limit: number; readonly offset: number },
) {
  return entriesOf(db, userId, filter)
    .leftJoin("audit_durations", "audit_durations.audit_id", "audit_log.id")
    .leftJoin("users", "users.id", "audit_log.actor_id")
    .leftJoin("api_keys", (join) =>
      join
        .onRef("api_keys.user_id", "=", "audit_log.actor_id")
        .on(sql<boolean>`audit_log.credential = 'api-key:' || api_keys.id`),
    )
    .select([
      "audit_log.id",
      "audit_log.actor_kind",
      "audit_log.actor_id",
      "audit_log.credential",
      "audit_log.method",
      "audit_log.endpoint",
      "audit_log.full_url",
      "audit_log.response_status",
      "audit_log.ip",
      "audit_log.created_at",
      "audit_durations.duration_ms",
      "users.email as actor_email",
      "api_keys.name as key_name",
      "api_keys.is_profile as is_profile_key",
    ])
    .orderBy("audit_log.seq", "desc")
    .limit(window.limit)
    .offset(window.offset)
    .execute();
}
