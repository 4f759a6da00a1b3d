import { writeMinuteOfDay } from "@palisade/contract/http/notifications";
import {
  minutesOfDay,
  type SupportHoursOfWeek,
  type SupportPlanTargets,
} from "@palisade/contract/http/staff-support";
import { ticketSeverities } from "@palisade/contract/http/tickets";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import {
  selectAllTargets,
  selectPlanId,
  selectPlans,
  updateHours,
  upsertTargets,
} from "./staff-targets.repository.ts";
import { selectHours } from "./support-targets.repository.ts";
import { withUsualTargets, type ResponseTargets } from "./usual-targets.policy.ts";

/** The targets of all support plans, and the hours that they count in. */
export async function readTargets(
  db: Executor,
): Promise<{ hours: SupportHoursOfWeek; plans: SupportPlanTargets[] }> {
  const hours = await selectHours(db);
  const targets = await selectAllTargets(db);
  const plans = await selectPlans(db);
  return {
    hours: {
      time_zone: hours.timeZone,
      days: hours.days.toSorted((a, b) => a - b),
      opens_at: writeMinuteOfDay(hours.opensAt),
      closes_at: writeMinuteOfDay(hours.closesAt),
    },
    plans: plans.map((plan) => ({
      slug: plan.slug,
      name: { en: plan.name, ru: plan.translations.ru?.name ?? null },
      is_retired: plan.retired_at !== null,
      holders: plan.price_cents === "0" ? null : Number(plan.holders),
      targets: withUsualTargets(targets.filter((row) => row.support_plan_id === plan.id)),
    })),
  };
}

/**
 * A ticket that waits already keeps its time until something is written or changed in it.
 *
 * @throws DomainError `not_found`
 */
export async function changeTargets(
  trx: Trx,
  slug: string,
  targets: ResponseTargets,
): Promise<void> {
  const planId = await selectPlanId(trx, slug);
  if (planId === undefined) throw new DomainError("not_found");
  await upsertTargets(
    trx,
    ticketSeverities.map((severity) => ({
      support_plan_id: planId,
      severity,
      response_minutes: targets[severity].minutes,
      hours: targets[severity].hours,
    })),
  );
}

/** As `changeTargets`, waiting tickets keep their time. */
export async function changeHours(trx: Trx, hours: SupportHoursOfWeek): Promise<void> {
  await updateHours(trx, {
    time_zone: hours.time_zone,
    days: hours.days.toSorted((a, b) => a - b),
    opens_at: minutesOfDay(hours.opens_at),
    closes_at: minutesOfDay(hours.closes_at),
  });
}
