import { routes } from "@palisade/contract/http/routes";
import type { PaymentMethod } from "@palisade/contract/http/billing";
import { toPage } from "@palisade/contract/http/paging";
import { z } from "zod";
import type { Db } from "#src/platform/database/db.ts";
import type { Failpoint } from "#src/platform/development/failpoints.ts";
import type { UserActor, RequestContext } from "#src/platform/http/pipeline/context.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Jobs } from "#src/platform/jobs/jobs.ts";
import type { OrderCheckout } from "./checkouts.service.ts";
import { storeEvent } from "./events.service.ts";
import { selectIntentOf, type IntentRow } from "./intents.repository.ts";
import { startTopUp, paymentOptions, type TopUpOrder } from "./intents.service.ts";
import { EventRefused, type PaymentProviders } from "./payment-provider.ts";
import { presentIntent, presentTransaction } from "./payments.presenter.ts";
import type { Settle } from "./settlement.service.ts";
import {
  countTransactions,
  selectTransaction,
  selectTransactions,
} from "./transactions.repository.ts";

export interface PaymentRoutesDeps {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly failpoint: Failpoint;
  readonly providers: PaymentProviders;
  readonly orderCheckout: OrderCheckout;
  readonly settle: Settle;
}

export function mountPaymentRoutes(mount: Mount, deps: PaymentRoutesDeps): void {
  mountTopUps(mount, deps);
  mountIntents(mount, deps);
  mountWebhooks(mount, deps);
  mountTransactions(mount, deps);
}

/** The result that is stored under the Idempotency-Key until the provider has answered. */
const begunTopUp = z.object({ intent: z.object({ id: z.uuid() }) });

type SettlingContext = Pick<RequestContext, "scope" | "log"> & { readonly actor: UserActor };

type CustomerContext = Pick<RequestContext, "scope" | "now"> & { readonly actor: UserActor };

function mountTopUps(
  mount: Mount,
  { db, failpoint, providers, orderCheckout }: PaymentRoutesDeps,
): void {
  const begin = async (
    ctx: CustomerContext,
    method: PaymentMethod,
    body: TopUpOrder["body"],
  ): Promise<z.infer<typeof begunTopUp>> =>
    unitOfWork(ctx, async (trx) => {
      const order = { userId: ctx.actor.userId, method, body, now: ctx.now };
      const id = await startTopUp(trx, providers, order);
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

function mountIntents(mount: Mount, { db, settle, providers }: PaymentRoutesDeps): void {
  const read = async (userId: string, id: string) => {
    const intent = await selectIntentOf(db, userId, id);
    if (intent === undefined) throw new DomainError("not_found");
    return intent;
  };
  mount(routes.billing.getIntent, async (ctx, { params }) => ({
    body: { intent: presentIntent(await read(ctx.actor.userId, params.id)) },
  }));
  /** A failure is not shown: the page asks again, and webhook and poller settle the intent as well. */
  const settleNow = async (ctx: SettlingContext, id: string, before: Promise<void>) => {
    await before
      .then(() => settle(id, (work) => unitOfWork(ctx, work)))
      .catch((error: unknown) =>
        ctx.log.warn(
          { err: error, intent: id },
          "An intent could not be settled; it is tried again",
        ),
      );
    return { body: { intent: presentIntent(await read(ctx.actor.userId, id)) } };
  };
  mount(routes.billing.confirmIntent, async (ctx, { params }) => {
    const { id } = await read(ctx.actor.userId, params.id);
    return settleNow(ctx, id, Promise.resolve());
  });
  mount(routes.billing.closeIntent, async (ctx, { params }) => {
    const intent = await read(ctx.actor.userId, params.id);
    return settleNow(ctx, intent.id, close(providers, intent));
  });
}

/** Closes the checkout, so that the payer's day has room for another one. */
async function close(providers: PaymentProviders, intent: IntentRow): Promise<void> {
  if (intent.status !== "pending" || intent.reference === null) return;
  await providers.named(intent.provider)?.closeCheckout?.({ reference: intent.reference });
}

function mountWebhooks(mount: Mount, { jobs, failpoint, providers }: PaymentRoutesDeps): void {
  mount(routes.billing.receiveWebhook, async (ctx, { params, body }) => {
    const provider = providers.named(params.provider);
    if (provider === undefined) throw new DomainError("not_found");
    const delivery = { body, header: ctx.header, now: ctx.now };
    const event = await provider.readEvent(delivery).catch((error: unknown) => {
      if (!(error instanceof EventRefused)) throw error;
      ctx.log.warn(
        { reason: error.message, provider: provider.name },
        "A webhook delivery was refused",
      );
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

function mountTransactions(mount: Mount, { db }: PaymentRoutesDeps): void {
  mount(routes.billing.listTransactions, async (ctx, { query }) => {
    const { userId } = ctx.actor;
    const { page, per_page: limit } = query;
    const rows = await selectTransactions(db, userId, query, { limit, offset: (page - 1) * limit });
    const total = await countTransactions(db, userId, query);
    const data = rows.map((row) => presentTransaction(row, ctx.locale));
    return { body: toPage(data, page, limit, total) };
  });
  mount(routes.billing.getTransaction, async (ctx, { params }) => {
    const row = await selectTransaction(db, ctx.actor.userId, params.id);
    if (row === undefined) throw new DomainError("not_found");
    return { body: { transaction: presentTransaction(row, ctx.locale) } };
  });
}
