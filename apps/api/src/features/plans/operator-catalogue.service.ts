import { commandEntry } from "#src/features/audit/audit.service.ts";
import { formatCents, readCents } from "#src/features/ledger/money.service.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import type { AuditLog } from "#src/platform/http/pipeline/audit-log.ts";
import {
  lockPlanOf,
  selectCatalogue,
  setPrice,
  setRetired,
  type CatalogueKind,
} from "./operator-catalogue.repository.ts";

interface Deps {
  readonly db: Db;
  readonly audit: AuditLog;
}

interface Order {
  readonly slug: string;
  readonly now: Date;
}

/** `free`: the free plan has no price and stays on offer, because unpaid accounts fall back to it. */
export type CatalogueOutcome = "done" | "already" | "unknown" | "free";

export const listCatalogue = (db: Db) => selectCatalogue(db);

/**
 * Changes the monthly price, without VAT, for everything bought from now on. Subscriptions keep the
 * price that they were bought for.
 */
export function changePrice(
  deps: Deps,
  order: Order & { readonly kind: CatalogueKind; readonly cents: number },
): Promise<CatalogueOutcome> {
  const { kind, slug, cents } = order;
  const support = kind === "support_plans" ? " --support" : "";
  const command = `plan price ${slug} ${formatCents(cents)}${support}`;
  return onPlan(deps, { ...order, command }, async (trx, plan) => {
    if (readCents(plan.price_cents) === cents) return false;
    await setPrice(trx, kind, plan.id, cents);
    return true;
  });
}

/** Takes a plan off sale, or puts it on sale again. Shields that are on it stay on it. */
export function offerPlan(
  deps: Deps,
  order: Order & { readonly isOffered: boolean },
): Promise<CatalogueOutcome> {
  const { slug, now, isOffered } = order;
  const command = `plan ${isOffered ? "offer" : "retire"} ${slug}`;
  return onPlan(deps, { ...order, kind: "pricing_plans", command }, (trx, plan) =>
    setRetired(trx, plan.id, isOffered ? null : now),
  );
}

/** A change of a plan with its row in the system's audit log. */
function onPlan(
  { db, audit }: Deps,
  order: Order & { readonly kind: CatalogueKind; readonly command: string },
  work: (trx: Trx, plan: { readonly id: string; readonly price_cents: string }) => Promise<boolean>,
): Promise<CatalogueOutcome> {
  const chain = "system";
  return db.transaction().execute(async (trx): Promise<CatalogueOutcome> => {
    const plan = await lockPlanOf(trx, order.kind, order.slug);
    if (plan === undefined) return "unknown";
    if (readCents(plan.price_cents) === 0) return "free";
    if (!(await work(trx, plan))) return "already";
    await audit.append(trx, commandEntry(order.command, { chain, status: 200, at: order.now }));
    return "done";
  });
}
