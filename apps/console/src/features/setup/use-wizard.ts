import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { locationsQuery } from "#src/api/locations.ts";
import { plansQuery } from "#src/api/plans.ts";
import { paths } from "#src/lib/paths.ts";
import { changeDraft, useDraft } from "./draft.ts";
import { cnameQuery } from "./setup.queries.ts";
import { clampStep, isDomainFree, reachableStep, stepCount, type ChoiceStates } from "./steps.ts";
import { useGoTo } from "./use-step.ts";

const domainStepNumber = 5;

/** The wizard's state, from the address, the draft and the server's lists. */
export function useWizard({ isFrozen }: { isFrozen: boolean }) {
  const search = useSearch({ from: paths.setup });
  const { draft } = useDraft();
  const goTo = useGoTo();
  // A user with an unanswered submit starts at the step that repeats it.
  const entry = draft.submit === null ? 1 : stepCount;
  const wanted = clampStep(search.step ?? entry);

  const plans = useQuery(plansQuery);
  const locations = useQuery({
    ...locationsQuery(draft.pricing_plan_id),
    enabled: draft.pricing_plan_id !== "",
  });
  const cname = useQuery({
    ...cnameQuery,
    enabled: wanted === domainStepNumber && draft.cname_record === null,
  });
  const plan = plans.data?.find(({ id }) => id === draft.pricing_plan_id);
  const location = locations.data?.find(({ name }) => name === draft.location);

  // The submit whose answer was lost may have spent the balance.
  const isPaid = draft.submit !== null;
  const offer: ChoiceStates = {
    plan:
      plans.data && (plan === undefined ? "gone" : isPaid || plan.is_available ? "open" : "short"),
    location: locations.data && (location?.is_available ? "open" : "gone"),
  };
  // A purchase changes the balance; the last step stays until the page is left.
  const step = isFrozen ? wanted : reachableStep(wanted, draft, offer);
  const part =
    step === domainStepNumber && search.part === "records" && isDomainFree(draft)
      ? ("records" as const)
      : undefined;

  useEffect(() => {
    if (step !== (search.step ?? 1) || part !== search.part) goTo(step, { part, replace: true });
  }, [step, part, search.step, search.part, goTo]);

  // Preselects the first plan the balance covers, and a location that is the only one.
  const firstPlan = plans.data?.find(({ is_available: isOpen }) => isOpen);
  const openLocations = locations.data?.filter(({ is_available: isOpen }) => isOpen) ?? [];
  const onlyLocation = openLocations.length === 1 ? openLocations[0]?.name : undefined;
  useEffect(() => {
    if (draft.pricing_plan_id === "" && firstPlan) {
      changeDraft({ pricing_plan_id: firstPlan.id, price_cents: firstPlan.price_cents });
    }
    if (draft.price_cents === null && plan) changeDraft({ price_cents: plan.price_cents });
    if (draft.location === "" && onlyLocation) changeDraft({ location: onlyLocation });
    if (draft.cname_record === null && cname.data) changeDraft({ cname_record: cname.data });
  }, [draft, firstPlan, plan, onlyLocation, cname.data]);

  return {
    step,
    part,
    plans,
    plan,
    locations,
    location,
    cname,
    /** The last step that can be opened. */
    lastOpen: reachableStep(stepCount, draft, offer),
  };
}
