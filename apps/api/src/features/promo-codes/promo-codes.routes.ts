import { routes } from "@palisade/contract/http/routes";
import { formatCents } from "#src/features/ledger/money.service.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { Feature } from "#src/platform/platform.ts";
import { quotePromoCode } from "./promo-codes.service.ts";

export function createPromoCodesFeature({ db }: { readonly db: Db }): Feature {
  return {
    mountRoutes(mount) {
      mount(routes.billing.validatePromoCode, async (ctx, { body }) => {
        const amountCents = body.amount * 100;
        const order = { code: body.code, userId: ctx.actor.userId, amountCents, now: ctx.now };
        const offer = await quotePromoCode(db, order, "code");
        const totalCents = amountCents + offer.bonusCents;
        return {
          body: {
            code: offer.code,
            percentage: offer.percentage,
            bonus_amount: formatCents(offer.bonusCents),
            bonus_cents: offer.bonusCents,
            total: formatCents(totalCents),
            total_cents: totalCents,
            message: ctx.text("ok.promo_applied"),
          },
        };
      });
    },
  };
}
