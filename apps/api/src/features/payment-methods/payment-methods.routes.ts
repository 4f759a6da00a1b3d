import { routes } from "@palisade/contract/http/routes";
import { z } from "zod";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import { presentCards } from "./payment-methods.presenter.ts";
import { selectSetup } from "./payment-methods.repository.ts";
import {
  beginSetup,
  chooseCard,
  listCards,
  orderSetup,
  removeCard,
  settleSetup,
  type PaymentMethodsDeps,
} from "./payment-methods.service.ts";

/** The result that is stored under the Idempotency-Key until the provider has answered. */
const begunSetup = z.object({ setup: z.object({ id: z.uuid() }) });

export function mountPaymentMethodRoutes(mount: Mount, deps: PaymentMethodsDeps): void {
  const { db, cards } = deps;
  const list = async (userId: string, now: Date) =>
    presentCards(cards, await listCards(deps, userId), now);

  mount(routes.paymentMethods.listCards, async ({ actor, now }) => ({
    body: await list(actor.userId, now),
  }));

  mount(routes.paymentMethods.setupCard, {
    begin: async (ctx) =>
      unitOfWork(ctx, async (trx) => {
        const id = await beginSetup(trx, deps, { userId: ctx.actor.userId, now: ctx.now });
        return { setup: { id } };
      }),
    async finish({ actor }, begun) {
      const { setup } = begunSetup.parse(begun);
      return { body: { checkout_url: await orderSetup(deps, actor.userId, setup.id), setup } };
    },
  });

  mount(routes.paymentMethods.confirmCardSetup, async (ctx, { params }) => {
    const { userId } = ctx.actor;
    const read = async () => {
      const setup = await selectSetup(db, params.setupId);
      if (setup?.user_id !== userId) throw new DomainError("not_found");
      return { id: setup.id, status: setup.status };
    };
    const { id } = await read();
    // A failure is not shown: the page asks again, and event and poller take the card over as well.
    await settleSetup(deps, id).catch((error: unknown) =>
      ctx.log.warn({ err: error, setup: id }, "A card could not be taken over yet"),
    );
    // Read in this order: a set-up that is completed has its card in the list.
    const setup = await read();
    return { body: { ...(await list(userId, ctx.now)), setup } };
  });

  mount(routes.paymentMethods.setDefaultCard, async (ctx, { params }) => {
    const { userId } = ctx.actor;
    await unitOfWork(ctx, (trx) => chooseCard(trx, deps, userId, params.cardId));
    return { body: { ...(await list(userId, ctx.now)), message: ctx.text("ok.card_default") } };
  });

  mount(routes.paymentMethods.removeCard, async (ctx, { params }) => {
    const { userId } = ctx.actor;
    await unitOfWork(ctx, (trx) => removeCard(trx, deps, userId, params.cardId));
    return { body: { ...(await list(userId, ctx.now)), message: ctx.text("ok.card_removed") } };
  });
}
