import { routes } from "@palisade/contract/http/routes";
import { listSupportPlans } from "#src/features/plans/plans.service.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import { automaticTopUp, setAutomaticTopUp } from "./automatic-top-ups.service.ts";
import { balanceForecast } from "./balance-forecast.service.ts";
import { cancelPlanned, changePlan, quotePlan } from "./plan-change.service.ts";
import { renewByHand, type RenewalDeps } from "./renewals.service.ts";
import {
  cancelSupportPlanned,
  changeSupport,
  quoteSupport,
  supportSubscription,
} from "./support-subscriptions.service.ts";

export function mountRenewalsRoutes(mount: Mount, deps: RenewalDeps): void {
  const { db, cards } = deps;
  mount(routes.planChanges.quotePlanChange, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const request = { shieldId: params.id, planId: body.pricing_plan_id, now: ctx.now };
      return { body: { quote: await quotePlan(deps, trx, request) } };
    }),
  );
  mount(routes.planChanges.changePlan, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const { change, revision } = await changePlan(deps, trx, {
        shieldId: params.id,
        planId: body.pricing_plan_id,
        quoteId: body.quote_id,
        now: ctx.now,
      });
      const { kind, effectiveAt } = change;
      const message = ctx.text(kind === "now" ? "ok.plan_changed" : "ok.plan_planned");
      return { body: { kind, effective_at: effectiveAt.toISOString(), revision, message } };
    }),
  );
  mount(routes.planChanges.cancelPlanChange, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      await cancelPlanned(deps, trx, { shieldId: params.id, now: ctx.now });
      return { body: { message: ctx.text("ok.plan_change_cancelled") } };
    }),
  );
  mount(routes.planChanges.renewServer, async (ctx, { params }) => {
    const request = { shieldId: params.id, now: ctx.now };
    const { expiresAt, revision } = await renewByHand(deps, request, (work) =>
      unitOfWork(ctx, async (trx) => work(trx)),
    );
    const message = ctx.text("ok.server_renewed");
    return { body: { expires_at: expiresAt.toISOString(), revision, message } };
  });

  mount(routes.supportPlans.quoteSupportPlan, (ctx, { body }) =>
    unitOfWork(ctx, async (trx) => {
      const { userId } = ctx.actor;
      const request = { userId, planId: body.support_plan_id, now: ctx.now, locale: ctx.locale };
      return { body: { quote: await quoteSupport(trx, request) } };
    }),
  );
  mount(routes.supportPlans.purchaseSupportPlan, (ctx, { body }) =>
    unitOfWork(ctx, async (trx) => {
      const { kind, effectiveAt } = await changeSupport(deps, trx, {
        userId: ctx.actor.userId,
        planId: body.support_plan_id,
        quoteId: body.quote_id,
        now: ctx.now,
        locale: ctx.locale,
      });
      const message = ctx.text(kind === "now" ? "ok.support_plan_changed" : "ok.plan_planned");
      return { body: { kind, effective_at: effectiveAt.toISOString(), message } };
    }),
  );
  mount(routes.supportPlans.getSupportSubscription, async (ctx) => {
    const plans = await listSupportPlans(db, ctx.locale);
    return { body: await supportSubscription(db, ctx.actor.userId, ctx.locale, plans) };
  });
  mount(routes.supportPlans.cancelSupportChange, (ctx) =>
    unitOfWork(ctx, async (trx) => {
      await cancelSupportPlanned(trx, ctx.actor.userId);
      return { body: { message: ctx.text("ok.plan_change_cancelled") } };
    }),
  );

  mount(routes.automaticPayments.getForecast, async (ctx) => {
    const { userId } = ctx.actor;
    const hasCard = await cards.hasSavedCard(userId);
    return { body: await balanceForecast(db, { userId, hasCard, now: ctx.now }) };
  });
  mount(routes.automaticPayments.getAutomaticTopUp, async (ctx) => ({
    body: await automaticTopUp(db, ctx.actor.userId),
  }));
  mount(routes.automaticPayments.updateAutomaticTopUp, (ctx, { body }) =>
    unitOfWork(ctx, async (trx) => {
      const request = { userId: ctx.actor.userId, now: ctx.now };
      const settings = await setAutomaticTopUp(trx, request, body);
      return { body: { settings, message: ctx.text("ok.automatic_top_up") } };
    }),
  );
}
