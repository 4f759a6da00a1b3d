import type { AuthorKind, HistoryArea } from "@palisade/contract/http/history";
import { sql } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";

export interface HistoryFilter {
  readonly area?: HistoryArea | undefined;
  /** Id of an account, or a kind of author that has none. */
  readonly author?: string | undefined;
  readonly since: Date;
  /** Areas that the caller may not see. */
  readonly hidden: readonly HistoryArea[];
}

interface AuthorRow {
  readonly author_kind: AuthorKind;
  readonly author_id: string | null;
  readonly email: string | null;
  readonly author_deleted_at: Date | null;
}

export type HistoryRow = Awaited<ReturnType<typeof selectChanges>>[number];

const kindsWithoutAccount = ["staff", "operator", "system"] as const;

function changesOf(db: Executor, shieldId: string, { area, author, since, hidden }: HistoryFilter) {
  let query = db
    .selectFrom("shield_changes")
    .where("shield_changes.shield_id", "=", shieldId)
    .where("shield_changes.created_at", ">=", since);
  if (hidden.length > 0) query = query.where("shield_changes.area", "not in", hidden);
  if (area !== undefined) query = query.where("shield_changes.area", "=", area);
  if (author === undefined) return query;
  // The owner does not learn which person of the staff it was.
  const kind = kindsWithoutAccount.find((each) => each === author);
  return kind === undefined
    ? query
        .where("shield_changes.author_id", "=", author)
        .where("shield_changes.author_kind", "in", ["owner", "member"])
    : query.where("shield_changes.author_kind", "=", kind);
}

export async function countChanges(
  db: Executor,
  shieldId: string,
  filter: HistoryFilter,
): Promise<number> {
  const { rows } = await changesOf(db, shieldId, filter)
    .select((eb) => eb.fn.countAll<string>().as("rows"))
    .executeTakeFirstOrThrow();
  return Number(rows);
}

/** Newest first. */
export function selectChanges(
  db: Executor,
  shieldId: string,
  filter: HistoryFilter,
  window: { readonly limit: number; readonly offset: number },
) {
  return changesOf(db, shieldId, filter)
    .leftJoin("users", "users.id", "shield_changes.author_id")
    .select([
      "shield_changes.id",
      "shield_changes.area",
      "shield_changes.revision",
      "shield_changes.author_kind",
      "shield_changes.key_name",
      "shield_changes.changes",
      "shield_changes.created_at",
      "users.email",
      "users.deleted_at as author_deleted_at",
    ])
    .orderBy("shield_changes.position", "desc")
    .limit(window.limit)
    .offset(window.offset)
    .execute();
}

/** Everyone who made a change of the shield; without an id, who acted for the installation. */
export async function selectAuthors(db: Executor, shieldId: string) {
  const { rows } = await sql<AuthorRow>`
    select author.author_kind, author.author_id, users.email, users.deleted_at as author_deleted_at
    from (
      select distinct author_id,
        case when author_id is null then author_kind else 'member' end as author_kind
      from (
        select author_kind,
          case when author_kind in ('owner', 'member') then author_id end as author_id
        from shield_changes where shield_id = ${shieldId}
      ) change
    ) author
    left join users on users.id = author.author_id
  `.execute(db);
  return rows;
}
