import type { TicketCategory, TicketSeverity } from "@palisade/contract/http/tickets";
import type { TicketView } from "@palisade/contract/http/staff-ticket-shapes";
import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";

export interface QueueFilters {
  readonly view: TicketView;
  readonly category?: TicketCategory | undefined;
  readonly severity?: TicketSeverity | undefined;
  readonly tag?: string | undefined;
  readonly search?: string | undefined;
}

/** The reader of the queue, and the time. */
export interface Onlooker {
  readonly staffId: string;
  readonly now: Date;
}

/** The rows of each view. */
function inView(view: TicketView, { staffId, now }: Onlooker): RawBuilder<SqlBool> {
  const awake = sql`status <> 'closed' and (snoozed_until is null or snoozed_until <= ${now})`;
  const views: Readonly<Record<TicketView, RawBuilder<unknown>>> = {
    unassigned: sql`${awake} and assignee_id is null`,
    mine: sql`${awake} and assignee_id = ${staffId}`,
    waiting: sql`${awake} and status in ('open', 'in_progress')`,
    overdue: sql`${awake} and due_at <= ${now}`,
    snoozed: sql`status <> 'closed' and snoozed_until > ${now}`,
    all: sql`status <> 'closed'`,
    closed: sql`status = 'closed'`,
  };
  return sql<SqlBool>`(${views[view]})`;
}

/** Staff as the console names them. */
export const staffName = sql<string>`coalesce(nullif(first_name, ''), split_part(email, '@', 1))`;

export function staffTickets(db: Executor) {
  return db
    .selectFrom("tickets")
    .innerJoin("users", "users.id", "tickets.user_id")
    .leftJoin("profiles", "profiles.user_id", "tickets.user_id")
    .leftJoin("shields", "shields.id", "tickets.shield_id")
    .leftJoin("support_subscriptions", "support_subscriptions.user_id", "tickets.user_id")
    .leftJoin("support_plans", "support_plans.id", "support_subscriptions.support_plan_id")
    .select([
      "tickets.id",
      "tickets.number",
      "tickets.user_id",
      "tickets.shield_id",
      "tickets.category",
      "tickets.severity",
      "tickets.subject",
      "tickets.status",
      "tickets.assignee_id",
      "tickets.tags",
      "tickets.due_at",
      "tickets.snoozed_until",
      "tickets.merged_into",
      "tickets.answered_at",
      "tickets.closed_at",
      "tickets.satisfaction_score",
      "tickets.satisfaction_comment",
      "tickets.created_at",
      "tickets.updated_at",
      "users.email",
      "users.locale",
      "users.created_at as registered_at",
      "profiles.first_name",
      "shields.server_name",
      "support_plans.name",
      "support_plans.translations",
    ]);
}

export type StaffTicketRow = Awaited<ReturnType<typeof selectStaffTicket>> & object;

export function selectStaffTicket(db: Executor, id: string) {
  return staffTickets(db).where("tickets.id", "=", id).executeTakeFirst();
}

function filtered(db: Executor, { view, ...filters }: QueueFilters, onlooker: Onlooker) {
  const search = filters.search?.toLowerCase() ?? "";
  const number = /^#?(\d{1,15})$/.exec(search)?.[1];
  return db
    .selectFrom("tickets")
    .innerJoin("users", "users.id", "tickets.user_id")
    .where(inView(view, onlooker))
    .$if(filters.category !== undefined, (query) =>
      query.where("category", "=", filters.category ?? "billing"),
    )
    .$if(filters.severity !== undefined, (query) =>
      query.where("severity", "=", filters.severity ?? "low"),
    )
    .$if(filters.tag !== undefined, (query) =>
      query.where(sql<SqlBool>`${filters.tag} = any (tags)`),
    )
    .$if(search !== "", (query) =>
      query.where((eb) =>
        eb.or([
          ...(number === undefined ? [] : [eb("number", "=", number)]),
          sql<SqlBool>`position(${search} in lower(subject)) > 0`,
          sql<SqlBool>`position(${search} in email_key) > 0`,
        ]),
      ),
    );
}

/** The most urgent first. */
export async function selectQueue(
  db: Executor,
  filters: QueueFilters,
  onlooker: Onlooker,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  const page = filtered(db, filters, onlooker)
    .select("tickets.id")
    .orderBy("due_at", (order) => order.asc().nullsLast())
    .orderBy("updated_at", "desc")
    .orderBy("tickets.id", "desc")
    .limit(limit)
    .offset(offset);
  return staffTickets(db)
    .where("tickets.id", "in", page)
    .orderBy("tickets.due_at", (order) => order.asc().nullsLast())
    .orderBy("tickets.updated_at", "desc")
    .orderBy("tickets.id", "desc")
    .execute();
}

export async function countQueue(
  db: Executor,
  filters: QueueFilters,
  onlooker: Onlooker,
): Promise<number> {
  const row = await filtered(db, filters, onlooker)
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export async function countViews(
  db: Executor,
  onlooker: Onlooker,
): Promise<Readonly<Record<TicketView, number>>> {
  const count = (view: TicketView) => sql`count(*) filter (where ${inView(view, onlooker)})::int`;
  const { rows } = await sql<Record<TicketView, number>>`
    select ${count("unassigned")} as unassigned, ${count("mine")} as mine,
      ${count("waiting")} as waiting, ${count("overdue")} as overdue,
      ${count("snoozed")} as snoozed, ${count("all")} as "all", ${count("closed")} as closed
    from tickets
  `.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("PostgreSQL counted nothing");
  return row;
}

const knownTagsMax = 50;

/** Tags of open tickets, the most frequent first. */
export async function selectKnownTags(db: Executor): Promise<string[]> {
  const { rows } = await sql<{ tag: string }>`
    select tag from tickets, unnest(tags) tag where status <> 'closed'
    group by tag order by count(*) desc, tag limit ${knownTagsMax}
  `.execute(db);
  return rows.map(({ tag }) => tag);
}

/** How customers rated the help, by the month in which the ticket was closed. */
export async function selectSatisfaction(db: Executor, now: Date) {
  const { rows } = await sql<{ month: string; answers: number; average: number }>`
    select to_char(closed_at at time zone 'utc', 'YYYY-MM') as month, count(*)::int as answers,
      round(avg(satisfaction_score), 2)::float8 as average
    from tickets
    where satisfaction_score is not null
      and closed_at >= date_trunc('month', ${now}::timestamptz) - interval '5 months'
    group by month order by month desc
  `.execute(db);
  return rows;
}

/** Staff who work on tickets. */
export function selectColleagues(db: Executor) {
  return db
    .selectFrom("users")
    .leftJoin("profiles", "profiles.user_id", "users.id")
    .select(["users.id", staffName.as("name")])
    .where("role", "=", "staff")
    .where(sql<SqlBool>`staff_roles && '{support,billing,admin}'`)
    .where("deleted_at", "is", null)
    .where("blocked_at", "is", null)
    .orderBy("name")
    .orderBy("users.id")
    .limit(200)
    .execute();
}
