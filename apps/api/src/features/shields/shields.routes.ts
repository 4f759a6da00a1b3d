import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import type { Failpoint } from "#src/platform/development/failpoints.ts";
import type { RequestContext } from "#src/platform/http/pipeline/context.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import type { AddressRules } from "#src/features/backends/backend-address.service.ts";
import { getOverview, type OverviewDeps } from "./overview.service.ts";
import { changeRenewal } from "./renewal-settings.service.ts";
import { deleteShield, renameShield, restoreShield } from "./shield-life.service.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import {
  createShield,
  getShield,
  listShields,
  reserveCname,
  type ShieldCaller,
} from "./shields.service.ts";

export interface ShieldsRoutesDeps {
  readonly db: Db;
  readonly rules: AddressRules;
  readonly writes: ShieldWrites;
  readonly failpoint: Failpoint;
  readonly cards: OverviewDeps["cards"];
}

export function mountShieldsRoutes(mount: Mount, deps: ShieldsRoutesDeps): void {
  const { db, rules } = deps;
  const callerOf = (
    ctx: Pick<RequestContext, "now" | "locale"> & { readonly actor: { readonly userId: string } },
  ): ShieldCaller => ({ userId: ctx.actor.userId, now: ctx.now, locale: ctx.locale });
  mount(routes.servers.generateCname, (ctx) =>
    unitOfWork(ctx, async (trx) => ({
      body: { cname_record: await reserveCname(trx, rules.zone, ctx.actor.userId, ctx.now) },
    })),
  );
  mount(routes.servers.createServer, (ctx, { body }) =>
    unitOfWork(ctx, async (trx) => ({
      body: {
        server: await createShield(deps, trx, callerOf(ctx), body),
        message: ctx.text("ok.server_created"),
      },
    })),
  );
  mount(routes.servers.listServers, async (ctx, { query }) => ({
    body: await listShields(db, callerOf(ctx), query),
  }));
  mount(routes.servers.getServer, async (ctx, { params }) => ({
    body: { server: await getShield(db, callerOf(ctx), params.id) },
  }));
  mount(routes.servers.getOverview, async (ctx, { params }) => ({
    body: await getOverview(deps, callerOf(ctx), params.id),
  }));
  mount(routes.servers.updateOverview, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const request = { shieldId: params.id, now: ctx.now };
      const { settings, texts } = await changeRenewal(trx, request, body);
      return { body: { ...settings, message: texts.map((key) => ctx.text(key)).join(". ") } };
    }),
  );
  mount(routes.serverLife.renameServer, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const request = { shieldId: params.id, name: body.server_name };
      const server = await renameShield(deps, trx, callerOf(ctx), request);
      return { body: { server, message: ctx.text("ok.server_renamed") } };
    }),
  );
  mount(routes.serverLife.deleteServer, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const request = { shieldId: params.id, typedName: body.server_name };
      const deleted = await deleteShield(deps, trx, callerOf(ctx), request);
      const { revision, restorableUntil: until } = deleted;
      const message = ctx.text("ok.server_deleted");
      return { body: { message, revision, restorable_until: until.toISOString() } };
    }),
  );
  mount(routes.serverLife.restoreServer, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      const restored = await restoreShield(deps, trx, callerOf(ctx), params.id);
      return { body: { ...restored, message: ctx.text("ok.server_restored") } };
    }),
  );
}
