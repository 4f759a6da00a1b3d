import { routes } from "@palisade/contract/http/routes";
import type { QuarantinedPayment } from "@palisade/contract/http/staff-books";
import { verifyBooks } from "#src/features/ledger/ledger-check.service.ts";
import {
  freezePurchases,
  liftFreeze,
  purchaseFreeze,
} from "#src/features/ledger/purchase-freeze.service.ts";
import { isCreditable, listQuarantine } from "#src/features/payments/quarantine.service.ts";
import { placeOrderIn } from "#src/features/staff-orders/staff-orders.service.ts";
import type { Db } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";

const breaksMax = 100;

export interface StaffBooksDeps {
  readonly db: Db;
  /** Orders above it wait for a second staff member. */
  readonly fourEyesCents: number;
}

/** What the nightly checks of the books found, and how staff settle it. */
export function mountStaffBookRoutes(mount: Mount, deps: StaffBooksDeps): void {
  const { db } = deps;
  mount(routes.staffBooks.listQuarantine, async () => ({
    body: {
      cases: (await listQuarantine(db)).map(present),
      four_eyes_cents: deps.fourEyesCents,
    },
  }));

  mount(routes.staffBooks.resolveQuarantine, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const { resolution, reason } = body;
      const details = { caseId: params.caseId, resolution };
      const { outcome } = await placeOrderIn(trx, deps, {
        content: { kind: "quarantine", details },
        reason,
        by: ctx.actor.userId,
        requestKey: newId(),
        now: ctx.now,
      });
      const isWaiting = outcome === "waiting";
      const message = ctx.text(isWaiting ? "ok.order_waiting" : "ok.quarantine_resolved");
      return { body: { message, outcome: isWaiting ? ("waiting" as const) : ("done" as const) } };
    }),
  );

  mount(routes.staffBooks.readPurchases, async () => {
    const freeze = await purchaseFreeze(db);
    return {
      body: {
        freeze: freeze && { reason: freeze.reason, since: freeze.since.toISOString() },
      },
    };
  });

  mount(routes.staffBooks.freezePurchases, (ctx, { body }) =>
    unitOfWork(ctx, async (trx) => {
      const { is_frozen: isFrozen, reason } = body;
      const by = ctx.actor.userId;
      if (isFrozen) await freezePurchases(trx, { reason, by, now: ctx.now });
      else await liftFreeze(trx, { reason, by, at: ctx.now });
      const message = ctx.text(isFrozen ? "ok.purchases_frozen" : "ok.purchases_open");
      return { body: { message } };
    }),
  );

  mount(routes.staffBooks.checkLedger, async (ctx) => {
    const { txns, accounts, breaks } = await verifyBooks(db);
    return {
      body: {
        txns,
        accounts,
        breaks: breaks.slice(0, breaksMax),
        breaks_count: breaks.length,
        checked_at: ctx.now.toISOString(),
      },
    };
  });
}

function present(row: Awaited<ReturnType<typeof listQuarantine>>[number]): QuarantinedPayment {
  return {
    id: row.id,
    provider: row.provider,
    reference: row.reference,
    reason: row.reason,
    amount_cents: row.amountCents,
    currency: row.currency,
    email: row.email,
    user_id: row.user_id,
    can_credit: isCreditable(row),
    found_at: row.found_at.toISOString(),
  };
}
