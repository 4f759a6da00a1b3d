import { routes } from "@palisade/contract/http/routes";
import type { PaymentMethod } from "@palisade/contract/http/billing";
import { z } from "zod";
import type { UserActor, RequestContext } from "#src/platform/http/pipeline/context.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";
import { eventCleaning } from "./cleaning.job.ts";
import { createCheckouts, type OrderCheckout } from "./checkouts.service.ts";
import { createEventWork, eventJob, storeEvent } from "./events.service.ts";
import { presentIntent } from "./intents.presenter.ts";
import { selectIntentOf } from "./intents.repository.ts";
import { beginTopUp, paymentOptions, type TopUpOrder } from "./intents.service.ts";
import { EventRefused, type PaymentProviders } from "./payment-provider.ts";
import { pollJob } from "./poll.job.ts";
import { createSettlement, type Settle } from "./settlement.service.ts";
import { mountTransactions } from "./transactions.routes.ts";

type PaymentsPlatform = Pick<Platform, "db" | "clock" | "jobs" | "log" | "failpoint">;

/** Top-ups: ordering, settling, and what became of them. */
export function createPaymentsFeature(
  platform: PaymentsPlatform,
  providers: PaymentProviders,
): Feature {
  const settle = createSettlement({ ...platform, providers });
  const workEvent = createEventWork({ ...platform, settle });
  return {
    mountRoutes(mount) {
      mountTopUps(mount, platform, providers, createCheckouts({ ...platform, providers }));
      mountIntents(mount, platform, settle);
      mountWebhooks(mount, platform, providers);
      mountTransactions(mount, platform.db);
    },
    jobs: [
      eventJob(workEvent),
      pollJob({ ...platform, settle, workEvent }),
      eventCleaning(platform.db, platform.clock),
    ],
  };
}

/** What is stored under the Idempotency-Key until the provider has answered. */
const begunTopUp = z.object({ intent: z.object({ id: z.uuid() }) });

type CustomerContext = Pick<RequestContext, "scope" | "now"> & { readonly actor: UserActor };

function mountTopUps(
  mount: Mount,
  { db, failpoint }: PaymentsPlatform,
  providers: PaymentProviders,
  orderCheckout: OrderCheckout,
): void {
  const begin = async (
    ctx: CustomerContext,
    method: PaymentMethod,
    body: TopUpOrder["body"],
  ): Promise<z.infer<typeof begunTopUp>> =>
    unitOfWork(ctx, async (trx) => {
      const order = { userId: ctx.actor.userId, method, body, now: ctx.now };
      const id = await beginTopUp(trx, providers, order);
      failpoint("intent-stored");
      return { intent: { id } };
    });
  const finish = async ({ actor }: CustomerContext, begun: unknown) => {
    const { id } = begunTopUp.parse(begun).intent;
    const { url, intent } = await orderCheckout(actor.userId, id);
    return { url, intent: presentIntent(intent) };
  };
  mount(routes.billing.getPaymentOptions, async (ctx) => ({
    body: await paymentOptions(db, providers, ctx.actor.userId, ctx.now),
  }));
  mount(routes.billing.createStripeIntent, {
    begin: (ctx, { body }) => begin(ctx, "stripe", body),
    async finish(ctx, begun) {
      const { url, intent } = await finish(ctx, begun);
      return { body: { checkout_url: url, intent } };
    },
  });
  mount(routes.billing.createPaypalOrder, {
    begin: (ctx, { body }) => begin(ctx, "paypal", body),
    async finish(ctx, begun) {
      const { url, intent } = await finish(ctx, begun);
      return { body: { approval_url: url, intent } };
    },
  });
}

function mountIntents(mount: Mount, { db }: PaymentsPlatform, settle: Settle): void {
  const read = async (userId: string, id: string) => {
    const intent = await selectIntentOf(db, userId, id);
    if (intent === undefined) throw new DomainError("not_found");
    return intent;
  };
  mount(routes.billing.getIntent, async (ctx, { params }) => ({
    body: { intent: presentIntent(await read(ctx.actor.userId, params.id)) },
  }));
  mount(routes.billing.confirmIntent, async (ctx, { params }) => {
    const { id } = await read(ctx.actor.userId, params.id);
    // The page asks again; webhook and poller go on meanwhile.
    await settle(id, (work) => unitOfWork(ctx, work)).catch((error: unknown) =>
      ctx.log.warn({ err: error, intent: id }, "An intent could not be settled just now"),
    );
    return { body: { intent: presentIntent(await read(ctx.actor.userId, id)) } };
  });
}

function mountWebhooks(
  mount: Mount,
  { jobs, failpoint }: PaymentsPlatform,
  providers: PaymentProviders,
): void {
  mount(routes.billing.receiveWebhook, async (ctx, { params, body }) => {
    const provider = providers.named(params.provider);
    if (provider === undefined) throw new DomainError("not_found");
    const delivery = { body, header: ctx.header, now: ctx.now };
    const event = await provider.readEvent(delivery).catch((error: unknown) => {
      if (!(error instanceof EventRefused)) throw error;
      ctx.log.warn({ reason: error.message, provider: provider.name }, "An event was refused");
      throw new DomainError("bad_request", { cause: error });
    });
    await unitOfWork(ctx, async (trx) => {
      const account = await storeEvent(trx, jobs, provider, event, delivery);
      if (account !== null) ctx.auditAccount(account);
    });
    failpoint("event-stored");
    return { body: { message: ctx.text("ok.received") } };
  });
}
