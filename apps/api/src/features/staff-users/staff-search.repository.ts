import { sql } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";
import { containing, nameContains, selectUsers } from "./staff-users.repository.ts";

/** Per kind: the list of a kind shows the rest. */
const resultsMax = 8;

export interface FoundRow {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly user_id: string;
}

export async function findUsers(db: Executor, q: string): Promise<FoundRow[]> {
  const rows = await selectUsers(db, { q }, { limit: resultsMax, offset: 0 });
  return rows.map(({ id, email, name }) => ({
    id,
    title: email,
    detail: name ?? "",
    user_id: id,
  }));
}

/** By name, label, domain or the address of a backend. */
export function findShields(db: Executor, q: string): Promise<FoundRow[]> {
  const pattern = containing(q);
  return db
    .selectFrom("shields")
    .select([
      "shields.id",
      "shields.server_name as title",
      "shields.cname_record as detail",
      "shields.owner_id as user_id",
    ])
    .where("shields.status", "<>", "deleted")
    .where((eb) =>
      eb.or([
        eb(sql<string>`shields.id::text`, "=", q.toLowerCase()),
        nameContains(sql<string>`shields.server_name`, q),
        eb("shields.cname_record", "like", pattern),
        eb.exists(
          eb
            .selectFrom("shield_domains")
            .select("shield_domains.id")
            .whereRef("shield_domains.shield_id", "=", "shields.id")
            .where("shield_domains.removed_at", "is", null)
            .where("shield_domains.name", "like", pattern),
        ),
        eb.exists(
          eb
            .selectFrom("backends")
            .innerJoin("backend_groups", "backend_groups.id", "backends.group_id")
            .select("backends.id")
            .whereRef("backend_groups.shield_id", "=", "shields.id")
            .where(sql<string>`lower(backends.host)`, "like", pattern),
        ),
      ]),
    )
    .orderBy("shields.created_at", "desc")
    .limit(resultsMax)
    .execute();
}

/** By their number, as `12` or `#12`. */
export async function findTickets(db: Executor, q: string): Promise<FoundRow[]> {
  const [, number] = /^#?(\d{1,9})$/.exec(q) ?? [];
  if (number === undefined) return [];
  const rows = await db
    .selectFrom("tickets")
    .select(["id", "number", "subject", "user_id"])
    .where("number", "=", number)
    .execute();
  return rows.map(({ id, number: shown, subject, user_id }) => ({
    id,
    title: `#${shown}`,
    detail: subject,
    user_id,
  }));
}

/** Receipts, invoices and credit notes, by the beginning of their number. */
export function findDocuments(db: Executor, q: string): Promise<FoundRow[]> {
  return db
    .selectFrom("documents")
    .innerJoin("users", "users.id", "documents.user_id")
    .select([
      "documents.id",
      "documents.shown_number as title",
      "users.email as detail",
      "documents.user_id",
    ])
    .where(sql<string>`lower(documents.shown_number)`, "like", containing(q).slice(1))
    .orderBy("documents.issued_at", "desc")
    .limit(resultsMax)
    .execute();
}
