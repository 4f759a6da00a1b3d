import { routes } from "@palisade/contract/http/routes";
import type { StaffPromoCode } from "@palisade/contract/http/staff-promo-codes";
import type { Db } from "#src/platform/database/db.ts";
import { DomainError, fieldError } from "#src/platform/errors/domain-error.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import { readCode } from "./promo-codes.policy.ts";
import { selectPromoUses } from "./promo-codes.repository.ts";
import { addPromoCodeIn, stopPromoCodeIn } from "./promo-codes.service.ts";

export function mountStaffPromoCodeRoutes(mount: Mount, db: Db): void {
  mount(routes.staffPromoCodes.listPromoCodes, async (ctx) => ({
    body: { promo_codes: (await selectPromoUses(db)).map((row) => present(row, ctx.now)) },
  }));

  mount(routes.staffPromoCodes.addPromoCode, (ctx, { body }) =>
    unitOfWork(ctx, async (trx) => {
      const code = requireCode(body.code);
      const endsAt = body.ends_at === null ? null : new Date(body.ends_at);
      if (endsAt !== null && endsAt <= ctx.now) throw fieldError("ends_at", "time.past");
      const { percentage, per_user_max: perUserMax, total_max: totalMax } = body;
      const isNew = await addPromoCodeIn(
        trx,
        { code, percentage, endsAt, perUserMax, totalMax },
        ctx.now,
      );
      if (!isNew) {
        throw new DomainError("conflict", { issues: [{ path: "code", code: "error.conflict" }] });
      }
      return { body: { message: ctx.text("ok.promo_code_added", { code }) } };
    }),
  );

  mount(routes.staffPromoCodes.endPromoCode, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      const code = requireCode(params.promo);
      if (!(await stopPromoCodeIn(trx, code, ctx.now))) throw new DomainError("not_found");
      return { body: { message: ctx.text("ok.promo_code_ended", { code }) } };
    }),
  );
}

function requireCode(typed: string): string {
  const code = readCode(typed);
  if (code === null) throw fieldError("code", "promo_code.name");
  return code;
}

type Row = Awaited<ReturnType<typeof selectPromoUses>>[number];

function present(row: Row, now: Date): StaffPromoCode {
  return {
    code: row.code,
    percentage: row.percentage,
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at?.toISOString() ?? null,
    is_over: row.ends_at !== null && row.ends_at <= now,
    per_user_max: row.per_user_max,
    total_max: row.total_max,
    claims: row.claims,
    bonus_cents: Number(row.bonus_cents),
    last_claimed_at: row.last_claimed_at?.toISOString() ?? null,
  };
}
