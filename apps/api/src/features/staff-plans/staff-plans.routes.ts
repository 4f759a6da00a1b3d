import { routes } from "@palisade/contract/http/routes";
import type { TextKey } from "@palisade/contract/texts/en";
import {
  changePriceIn,
  offerPlanIn,
  type CatalogueOutcome,
} from "#src/features/plans/operator-catalogue.service.ts";
import { knownLocations } from "#src/features/plans/plans.service.ts";
import { setSupportIn } from "#src/features/renewals/operator-support.service.ts";
import type { Db } from "#src/platform/database/db.ts";
import { DomainError, fieldError } from "#src/platform/errors/domain-error.ts";
import type { RequestContext } from "#src/platform/http/pipeline/context.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Jobs } from "#src/platform/jobs/jobs.ts";
import { presentPlan, presentSupportPlan } from "./staff-plans.presenter.ts";
import { selectPlans, selectSupportPlans } from "./staff-plans.repository.ts";
import { addPlan, addSupportPlan, editPlan, editSupportPlan } from "./staff-plans.service.ts";

export interface StaffPlansDeps {
  readonly db: Db;
  readonly jobs: Jobs;
}

export function mountStaffPlanRoutes(mount: Mount, deps: StaffPlansDeps): void {
  const { db } = deps;
  mount(routes.staffPlans.listCatalogue, async () => ({
    body: {
      plans: (await selectPlans(db)).map(presentPlan),
      support_plans: (await selectSupportPlans(db)).map(presentSupportPlan),
      locations: (await knownLocations(db)).map(({ name }) => name),
    },
  }));

  mount(routes.staffPlans.createPlan, (ctx, { body }) =>
    unitOfWork(ctx, async (trx) => {
      await addPlan(trx, body);
      return said(ctx, "ok.plan_added");
    }),
  );
  mount(routes.staffPlans.editPlan, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      await editPlan(deps, trx, { ...body, slug: params.plan });
      return said(ctx, "ok.plan_saved");
    }),
  );
  mount(routes.staffPlans.createSupportPlan, (ctx, { body }) =>
    unitOfWork(ctx, async (trx) => {
      await addSupportPlan(trx, body);
      return said(ctx, "ok.plan_added");
    }),
  );
  mount(routes.staffPlans.editSupportPlan, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      await editSupportPlan(trx, { ...body, slug: params.plan });
      return said(ctx, "ok.plan_saved");
    }),
  );

  mount(routes.staffPlans.pricePlan, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const order = { kind: "pricing_plans", slug: params.plan, cents: body.price_cents } as const;
      requireChangeable(await changePriceIn(trx, order));
      return said(ctx, "ok.plan_saved");
    }),
  );
  mount(routes.staffPlans.priceSupportPlan, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const order = { kind: "support_plans", slug: params.plan, cents: body.price_cents } as const;
      requireChangeable(await changePriceIn(trx, order));
      return said(ctx, "ok.plan_saved");
    }),
  );
  mount(routes.staffPlans.offerPlan, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const { is_offered: isOffered } = body;
      const plan = { kind: "pricing_plans", slug: params.plan } as const;
      requireChangeable(await offerPlanIn(trx, { ...plan, isOffered, now: ctx.now }));
      return said(ctx, isOffered ? "ok.plan_added" : "ok.plan_retired");
    }),
  );
  mount(routes.staffPlans.offerSupportPlan, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const { is_offered: isOffered } = body;
      const plan = { kind: "support_plans", slug: params.plan } as const;
      requireChangeable(await offerPlanIn(trx, { ...plan, isOffered, now: ctx.now }));
      return said(ctx, isOffered ? "ok.plan_added" : "ok.plan_retired");
    }),
  );

  mount(routes.staffPlans.giveSupportPlan, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const order = { email: body.email, slug: params.plan, now: ctx.now };
      const outcome = await setSupportIn(trx, order);
      if (outcome === "unknown plan") throw new DomainError("not_found");
      if (outcome === "unknown") throw fieldError("email", "account.unknown");
      return said(ctx, "ok.support_plan_given", { plan: params.plan });
    }),
  );
}

type Context = Pick<RequestContext, "text">;

function said(ctx: Context, key: TextKey, values?: Readonly<Record<string, string>>) {
  return { body: { message: ctx.text(key, values) } };
}

/** @throws DomainError `not_found`; `conflict` for the free plan */
function requireChangeable(outcome: CatalogueOutcome): void {
  if (outcome === "unknown") throw new DomainError("not_found");
  if (outcome === "free") throw new DomainError("conflict", { text: "plan.free" });
}
