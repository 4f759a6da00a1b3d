import type { TicketSeverity } from "@palisade/contract/http/tickets";
import { sql } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";

export function selectTargets(db: Executor, planId: string) {
  return db
    .selectFrom("support_targets")
    .select(["severity", "response_minutes as minutes", "hours"])
    .where("support_plan_id", "=", planId)
    .execute();
}

/** The paid plan that the customer holds, or else the free one. */
export function selectPlanOf(db: Executor, userId: string) {
  return db
    .selectFrom("support_plans")
    .leftJoin("support_subscriptions", (join) =>
      join
        .onRef("support_subscriptions.support_plan_id", "=", "support_plans.id")
        .on("support_subscriptions.user_id", "=", userId),
    )
    .select(["support_plans.id", "support_plans.name", "support_plans.translations"])
    .where((eb) =>
      eb.or([eb("user_id", "is not", null), eb("support_plans.price_cents", "=", "0")]),
    )
    .orderBy("user_id", (order) => order.desc().nullsLast())
    .orderBy("position")
    .limit(1)
    .executeTakeFirst();
}

export async function selectHours(db: Executor) {
  const row = await db.selectFrom("support_hours").selectAll().executeTakeFirstOrThrow();
  return {
    timeZone: row.time_zone,
    days: row.days,
    opensAt: row.opens_at,
    closesAt: row.closes_at,
  };
}

/** Median minutes to the first answer by severity, of customers on the plan. */
export async function selectMedians(
  db: Executor,
  planId: string,
  since: Date,
): Promise<{ severity: TicketSeverity; answers: number; minutes: number }[]> {
  const { rows } = await sql<{ severity: TicketSeverity; answers: number; minutes: number }>`
    select severity, count(*)::int as answers,
      percentile_cont(0.5) within group (
        order by extract(epoch from answered_at - created_at)::float8 / 60
      ) as minutes
    from tickets
    where answered_at >= ${since} and ${planId}::uuid = coalesce(
      (select support_plan_id from support_subscriptions held where held.user_id = tickets.user_id),
      (select id from support_plans where price_cents = 0 order by position limit 1))
    group by severity
  `.execute(db);
  return rows;
}

export function selectClock(db: Executor, ticketId: string) {
  return db
    .selectFrom("tickets")
    .select(["user_id", "severity", "status", "waiting_since", "due_at"])
    .where("id", "=", ticketId)
    .executeTakeFirst();
}

/** When the customer wrote what staff have not answered; null where they have answered all of it. */
export async function selectUnansweredSince(db: Executor, ticketId: string): Promise<Date | null> {
  const { rows } = await sql<{ since: Date | null }>`
    select min(created_at) as since from ticket_messages
    where ticket_id = ${ticketId} and not is_admin and not is_internal and position > (
      select coalesce(max(position), 0) from ticket_messages
      where ticket_id = ${ticketId} and is_admin and not is_internal)
  `.execute(db);
  return rows[0]?.since ?? null;
}

export async function updateClock(
  trx: Trx,
  ticketId: string,
  clock: { readonly waiting_since: Date | null; readonly due_at: Date | null },
): Promise<void> {
  await trx
    .updateTable("tickets")
    .set((eb) => ({
      ...clock,
      // A question that is due later than the one staff were told of is another one.
      escalated_at: eb
        .case()
        .when("due_at", "is not distinct from", clock.due_at)
        .then(eb.ref("escalated_at"))
        .else(null)
        .end(),
    }))
    .where("id", "=", ticketId)
    .execute();
}
