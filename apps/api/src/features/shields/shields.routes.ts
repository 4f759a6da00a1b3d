import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import type { Failpoint } from "#src/platform/failpoints.ts";
import type { RequestContext } from "#src/platform/http/context.ts";
import { unitOfWork } from "#src/platform/http/unit-of-work.ts";
import type { Feature } from "#src/platform/platform.ts";
import type { AddressRules } from "./backend-address.service.ts";
import { getOverview } from "./overview.service.ts";
import { getPropagation } from "./propagation.service.ts";
import { changeRenewal } from "./renewal-settings.service.ts";
import type { ShieldWrites } from "./shield-writes.service.ts";
import {
  createShield,
  getShield,
  listShields,
  reserveCname,
  type ShieldCaller,
} from "./shields.service.ts";

export interface ShieldsFeatureDeps {
  readonly db: Db;
  readonly rules: AddressRules;
  readonly writes: ShieldWrites;
  readonly failpoint: Failpoint;
}

export function createShieldsFeature(deps: ShieldsFeatureDeps): Feature {
  const { db, rules } = deps;
  const callerOf = (
    ctx: Pick<RequestContext, "now" | "locale"> & { readonly actor: { readonly userId: string } },
  ): ShieldCaller => ({ userId: ctx.actor.userId, now: ctx.now, locale: ctx.locale });
  return {
    mountRoutes(mount) {
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
        body: await getOverview(db, callerOf(ctx), params.id),
      }));
      mount(routes.servers.updateOverview, (ctx, { params, body }) =>
        unitOfWork(ctx, async (trx) => {
          const request = { shieldId: params.id, now: ctx.now };
          const { settings, texts } = await changeRenewal(trx, request, body);
          return { body: { ...settings, message: texts.map((key) => ctx.text(key)).join(". ") } };
        }),
      );
      mount(routes.servers.getPropagation, async (_ctx, { params, query }) => ({
        body: await getPropagation(db, params.id, query.revision),
      }));
    },
  };
}
