import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { getChallengeTimes, getMitigation, updateMitigation } from "./mitigation.service.ts";
import { endTry, getTryAddress, startTry } from "./try-address.service.ts";

export function mountMitigationRoutes(
  mount: Mount,
  deps: { readonly db: Db; readonly writes: ShieldWrites; readonly zone: string },
): void {
  const { db, writes } = deps;
  mount(routes.mitigation.getMitigation, async (ctx, { params }) => {
    const { mitigation, etag } = await getMitigation(db, params.id, ctx.now);
    return { body: mitigation, headers: { etag } };
  });
  mount(routes.mitigation.updateMitigation, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const request = { shieldId: params.id, ifMatch: ctx.ifMatch, now: ctx.now };
      const { etag, ...answer } = await updateMitigation(writes, trx, request, body);
      const message = ctx.text("ok.mitigation_updated");
      return { body: { message, ...answer }, headers: { etag } };
    }),
  );
  mount(routes.mitigation.getChallenges, async (ctx, { params }) => ({
    body: await getChallengeTimes(db, params.id, ctx.now),
  }));
  mount(routes.mitigation.getTryAddress, async (ctx, { params }) => {
    const request = { shieldId: params.id, now: ctx.now };
    return { body: { try_address: await getTryAddress(db, request) } };
  });
  mount(routes.mitigation.startTry, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const request = { shieldId: params.id, now: ctx.now };
      const answer = await startTry(deps, trx, request, body.challenge);
      return { body: { message: ctx.text("ok.try_started"), ...answer } };
    }),
  );
  mount(routes.mitigation.endTry, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      const revision = await endTry(deps, trx, { shieldId: params.id });
      return { body: { message: ctx.text("ok.try_ended"), revision } };
    }),
  );
}
