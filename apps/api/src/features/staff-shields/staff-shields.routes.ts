import { routes } from "@palisade/contract/http/routes";
import { grantDefault } from "#src/features/bedrock/bedrock.service.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import {
  blockShieldIn,
  requireFit,
  setPlanIn,
  unblockShieldIn,
  type BlockOutcome,
} from "#src/features/renewals/operator-plans.service.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { DomainError, fieldError } from "#src/platform/errors/domain-error.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import { selectLabel } from "./staff-shields.repository.ts";
import { findShields, readShield } from "./staff-shields.service.ts";

export interface StaffShieldsDeps {
  readonly db: Db;
  readonly writes: ShieldWrites;
}

/** Staff find shields and change them as the commands of the operator do. */
export function mountStaffShieldRoutes(mount: Mount, { db, writes }: StaffShieldsDeps): void {
  mount(routes.staffShields.listShields, async (_ctx, { query }) => {
    const { q, status, owner_id: ownerId, page, per_page: perPage } = query;
    return { body: await findShields(db, { q, status, ownerId }, { page, perPage }) };
  });

  mount(routes.staffShields.readShield, async (ctx, { params }) => ({
    body: { shield: await readShield(db, params.shieldId, ctx.locale) },
  }));

  mount(routes.staffShields.blockShield, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const order = { ...(await orderOf(trx, params.shieldId)), ...body, now: ctx.now };
      requireChanged(await blockShieldIn({ trx, writes }, order));
      return { body: { message: ctx.text("ok.shield_blocked") } };
    }),
  );

  mount(routes.staffShields.unblockShield, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const order = { ...(await orderOf(trx, params.shieldId)), ...body, now: ctx.now };
      requireChanged(await unblockShieldIn({ trx, writes }, order));
      return { body: { message: ctx.text("ok.shield_unblocked") } };
    }),
  );

  mount(routes.staffShields.setShieldPlan, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const { plan: slug, reason } = body;
      const order = { ...(await orderOf(trx, params.shieldId)), slug, reason, now: ctx.now };
      const outcome = await setPlanIn({ trx, writes }, order);
      if (outcome === "unknown plan") throw fieldError("plan", "plan.unknown");
      if (typeof outcome === "object") requireFit(outcome.exceeded);
      else requireChanged(outcome);
      return { body: { message: ctx.text("ok.shield_plan_set", { plan: slug }) } };
    }),
  );

  mount(routes.staffShields.setBedrockDefault, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const { granted } = body;
      await grantDefault({ writes }, trx, { ...params, granted, now: ctx.now });
      const text = granted ? "ok.bedrock_default_granted" : "ok.bedrock_default_taken";
      return { body: { message: ctx.text(text) } };
    }),
  );
}

/** @throws DomainError `not_found` */
async function orderOf(trx: Trx, shieldId: string): Promise<{ readonly label: string }> {
  const label = await selectLabel(trx, shieldId);
  if (label === undefined) throw new DomainError("not_found");
  return { label };
}

/** A shield that is so already is no error. @throws DomainError `not_found`, `gone` */
function requireChanged(outcome: BlockOutcome): void {
  if (outcome === "unknown") throw new DomainError("not_found");
  if (outcome === "deleted") throw new DomainError("gone");
}
