import { planLimits } from "@palisade/contract/http/plan-limits";
import type { StaffPlan, StaffSupportPlan } from "@palisade/contract/http/staff-plans";
import { readCents } from "#src/features/ledger/money.service.ts";
import type { PlanRow, SupportPlanRow } from "./staff-plans.repository.ts";

export function presentPlan(row: PlanRow): StaffPlan {
  const { name, description, features } = row;
  const ru = row.translations.ru;
  return {
    ...presentTerms(row),
    en: { name, description, features },
    ru: ru === undefined ? null : { name, description, features, ...ru },
    limits: planLimits.parse(row.limits),
  };
}

export function presentSupportPlan(row: SupportPlanRow): StaffSupportPlan {
  const { name, description } = row;
  const ru = row.translations.ru;
  return {
    ...presentTerms(row),
    en: { name, description },
    ru: ru === undefined ? null : { name, description, ...ru },
  };
}

function presentTerms(row: PlanRow | SupportPlanRow) {
  return {
    slug: row.slug,
    price_cents: readCents(row.price_cents),
    is_retired: row.retired_at !== null,
    position: row.position,
    holders: Number(row.holders),
    other_terms: Number(row.other_terms),
  };
}
