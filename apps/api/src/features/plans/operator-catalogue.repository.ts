import { sql } from "kysely";
import type { Db, Trx } from "#src/platform/database/db.ts";

export type CatalogueKind = "pricing_plans" | "support_plans";

export interface CatalogueRow {
  readonly kind: CatalogueKind;
  readonly slug: string;
  readonly name: string;
  readonly price_cents: string;
  readonly is_retired: boolean;
  /** Shields or accounts on the plan, and those of them that pay another price than it has today. */
  readonly holders: string;
  readonly other_terms: string;
}

/** Every plan and support plan, also those no longer on offer. */
export async function selectCatalogue(db: Db): Promise<CatalogueRow[]> {
  const { rows } = await sql<CatalogueRow>`
    select 'pricing_plans' as kind, p.slug, p.name, p.price_cents, p.retired_at is not null as is_retired,
      (select count(*) from shields where pricing_plan_id = p.id and status <> 'deleted') as holders,
      (select count(*) from subscriptions
        where pricing_plan_id = p.id and price_cents <> p.price_cents) as other_terms,
      p.position
    from pricing_plans p
    union all
    select 'support_plans', p.slug, p.name, p.price_cents, p.retired_at is not null,
      (select count(*) from support_subscriptions where support_plan_id = p.id),
      (select count(*) from support_subscriptions
        where support_plan_id = p.id and price_cents <> p.price_cents),
      p.position
    from support_plans p
    order by kind, position, slug
  `.execute(db);
  return rows;
}

/** Purchases of the plan wait until `trx` ends. */
export function lockPlanOf(trx: Trx, kind: CatalogueKind, slug: string) {
  return trx
    .selectFrom(kind)
    .select(["id", "price_cents"])
    .where("slug", "=", slug)
    .forUpdate()
    .executeTakeFirst();
}

export async function setPrice(
  trx: Trx,
  kind: CatalogueKind,
  id: string,
  cents: number,
): Promise<void> {
  await trx.updateTable(kind).set({ price_cents: cents }).where("id", "=", id).execute();
}

/** @param at null: it is on offer again. @returns false if it was so before */
export async function setRetired(
  trx: Trx,
  kind: CatalogueKind,
  id: string,
  at: Date | null,
): Promise<boolean> {
  const result = await trx
    .updateTable(kind)
    .set({ retired_at: at })
    .where("id", "=", id)
    .where("retired_at", at === null ? "is not" : "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
