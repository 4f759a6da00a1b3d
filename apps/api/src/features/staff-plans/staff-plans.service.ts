import { planLimits, type PlanLimits } from "@palisade/contract/http/plan-limits";
import type { StaffPlan, StaffSupportPlan } from "@palisade/contract/http/staff-plans";
import { knownLocations } from "#src/features/plans/plans.service.ts";
import type { Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { DomainError, fieldError } from "#src/platform/errors/domain-error.ts";
import type { Jobs } from "#src/platform/jobs/jobs.ts";
import { planLimitsJobName } from "./plan-limits.job.ts";
import {
  insertPlan,
  insertSupportPlan,
  lockPlan,
  lockSupportPlan,
  updatePlan,
  updateSupportPlan,
} from "./staff-plans.repository.ts";

type PlanTexts = Pick<StaffPlan, "en" | "ru" | "limits" | "position">;
type SupportTexts = Pick<StaffSupportPlan, "en" | "ru" | "position">;

interface NewTerms {
  readonly slug: string;
  readonly price_cents: number;
}

/** @throws DomainError `conflict` at the field `slug` */
export async function addPlan(trx: Trx, plan: PlanTexts & NewTerms): Promise<void> {
  await requireLocations(trx, plan.limits);
  const { slug, price_cents } = plan;
  const row = { id: newId(), slug, price_cents, retired_at: null, ...planColumns(plan) };
  const translations = JSON.stringify(plan.ru === null ? {} : { ru: plan.ru });
  if (!(await insertPlan(trx, { ...row, translations }))) throw nameTaken();
}

/**
 * Changes what a plan is called and allows. New limits go to the edges as a job; a shield that has
 * more than they allow keeps it until its owner changes something there.
 *
 * @throws DomainError `not_found`
 */
export async function editPlan(
  { jobs }: { readonly jobs: Jobs },
  trx: Trx,
  edit: PlanTexts & { readonly slug: string },
): Promise<void> {
  await requireLocations(trx, edit.limits);
  const plan = await lockPlan(trx, edit.slug);
  if (plan === undefined) throw new DomainError("not_found");
  const translations = translationsOf(plan.translations, edit.ru);
  await updatePlan(trx, plan.id, { ...planColumns(edit), translations });
  if (isSame(planLimits.parse(plan.limits), edit.limits)) return;
  await jobs.send(trx, planLimitsJobName, { planId: plan.id });
}

/** @throws DomainError `conflict` at the field `slug` */
export async function addSupportPlan(trx: Trx, plan: SupportTexts & NewTerms): Promise<void> {
  const { slug, price_cents, en, ru, position } = plan;
  const translations = JSON.stringify(ru === null ? {} : { ru });
  const row = { id: newId(), slug, price_cents, position, translations, ...en };
  if (!(await insertSupportPlan(trx, row))) throw nameTaken();
}

/** @throws DomainError `not_found` */
export async function editSupportPlan(
  trx: Trx,
  { slug, en, ru, position }: SupportTexts & { readonly slug: string },
): Promise<void> {
  const plan = await lockSupportPlan(trx, slug);
  if (plan === undefined) throw new DomainError("not_found");
  const translations = translationsOf(plan.translations, ru);
  await updateSupportPlan(trx, plan.id, { ...en, position, translations });
}

function planColumns({ en, limits, position }: PlanTexts) {
  return {
    name: en.name,
    description: en.description,
    features: JSON.stringify(en.features),
    limits: JSON.stringify(limits),
    position,
  };
}

/** Other languages stay as they are. */
function translationsOf(known: object, ru: object | null): string {
  return JSON.stringify({ ...known, ru: ru ?? undefined });
}

function isSame(before: PlanLimits, after: PlanLimits): boolean {
  const text = (limits: PlanLimits): string =>
    JSON.stringify(Object.entries(limits).sort(([a], [b]) => a.localeCompare(b)));
  return text(before) === text(after);
}

/** A location that is misspelt would close the plan's shields everywhere. */
async function requireLocations(trx: Trx, { locations }: PlanLimits): Promise<void> {
  if (locations === null || locations === undefined) return;
  const known = new Set((await knownLocations(trx)).map(({ name }) => name));
  if (locations.length > 0 && locations.every((name) => known.has(name))) return;
  throw fieldError("limits.locations", "plan_locations.unknown");
}

function nameTaken(): DomainError {
  return new DomainError("conflict", { issues: [{ path: "slug", code: "error.conflict" }] });
}
