import { routes } from "@palisade/contract/http/routes";
import { formatCents } from "#src/features/ledger/money.service.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { quotePromoCode } from "./promo-codes.service.ts";

export function mountPromoCodeRoutes(mount: Mount, db: Db): void {
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
}
