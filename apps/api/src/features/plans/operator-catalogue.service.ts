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

interface PlanName {
  readonly kind: CatalogueKind;
  readonly slug: string;
}

/** `free`: the free plan has no price and stays on offer, because unpaid accounts fall back to it. */
export type CatalogueOutcome = "done" | "already" | "unknown" | "free";

export type { CatalogueKind } from "./operator-catalogue.repository.ts";

export const listCatalogue = (db: Db) => selectCatalogue(db);

/**
 * Changes the monthly price, without VAT, for everything bought from now on. Subscriptions keep the
 * price that they were bought for.
 */
export function changePriceIn(
  trx: Trx,
  { kind, slug, cents }: PlanName & { readonly cents: number },
): Promise<CatalogueOutcome> {
  return onPlan(trx, { kind, slug }, async (plan) => {
    if (readCents(plan.price_cents) === cents) return false;
    await setPrice(trx, kind, plan.id, cents);
    return true;
  });
}

/** Takes a plan off sale, or puts it on sale again. Shields and accounts that are on it stay on it. */
export function offerPlanIn(
  trx: Trx,
  { kind, slug, isOffered, now }: PlanName & { readonly isOffered: boolean; readonly now: Date },
): Promise<CatalogueOutcome> {
  return onPlan(trx, { kind, slug }, (plan) =>
    setRetired(trx, kind, plan.id, isOffered ? null : now),
  );
}

export function changePrice(
  deps: Deps,
  order: Order & { readonly kind: CatalogueKind; readonly cents: number },
): Promise<CatalogueOutcome> {
  const { kind, slug, cents } = order;
  const support = kind === "support_plans" ? " --support" : "";
  const command = `plan price ${slug} ${formatCents(cents)}${support}`;
  return byCommand(deps, { command, now: order.now }, (trx) => changePriceIn(trx, order));
}

export function offerPlan(
  deps: Deps,
  order: Order & { readonly isOffered: boolean },
): Promise<CatalogueOutcome> {
  const command = `plan ${order.isOffered ? "offer" : "retire"} ${order.slug}`;
  return byCommand(deps, { command, now: order.now }, (trx) =>
    offerPlanIn(trx, { ...order, kind: "pricing_plans" }),
  );
}

async function onPlan(
  trx: Trx,
  { kind, slug }: PlanName,
  work: (plan: { readonly id: string; readonly price_cents: string }) => Promise<boolean>,
): Promise<CatalogueOutcome> {
  const plan = await lockPlanOf(trx, kind, slug);
  if (plan === undefined) return "unknown";
  if (readCents(plan.price_cents) === 0) return "free";
  return (await work(plan)) ? "done" : "already";
}

/** In a transaction of its own, with its row in the system's audit log. */
function byCommand(
  { db, audit }: Deps,
  { command, now }: { readonly command: string; readonly now: Date },
  work: (trx: Trx) => Promise<CatalogueOutcome>,
): Promise<CatalogueOutcome> {
  return db.transaction().execute(async (trx) => {
    const outcome = await work(trx);
    if (outcome === "done") {
      await audit.append(trx, commandEntry(command, { chain: "system", status: 200, at: now }));
    }
    return outcome;
  });
}
