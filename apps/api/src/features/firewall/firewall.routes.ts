import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import { unitOfWork } from "#src/platform/http/unit-of-work.ts";
import type { Feature } from "#src/platform/platform.ts";
import type { ShieldWrites } from "#src/features/shields/shield-writes.service.ts";
import { addEntry, getFirewall, removeEntry, updateFirewall } from "./firewall.service.ts";

export function createFirewallFeature(deps: {
  readonly db: Db;
  readonly writes: ShieldWrites;
}): Feature {
  const { db, writes } = deps;
  return {
    mountRoutes(mount) {
      mount(routes.firewall.getFirewall, async (_ctx, { params }) => {
        const { firewall, etag } = await getFirewall(db, params.id);
        return { body: firewall, headers: { etag } };
      });
      mount(routes.firewall.updateFirewall, (ctx, { params, body }) =>
        unitOfWork(ctx, async (trx) => {
          const request = { shieldId: params.id, ifMatch: ctx.ifMatch };
          const { firewall, revision, etag } = await updateFirewall(writes, trx, request, body);
          const message = ctx.text("ok.firewall_updated");
          return { body: { message, revision, firewall }, headers: { etag } };
        }),
      );
      mount(routes.firewall.addFirewallEntry, (ctx, { params, body }) =>
        unitOfWork(ctx, async (trx) => {
          const request = { shieldId: params.id, now: ctx.now };
          const { entry, revision, etag } = await addEntry(writes, trx, request, body);
          const message = ctx.text("ok.firewall_entry_added", { ip: entry.ip });
          return { body: { message, revision, entry }, headers: { etag } };
        }),
      );
      mount(routes.firewall.removeFirewallEntry, (ctx, { params }) =>
        unitOfWork(ctx, async (trx) => {
          const removed = await removeEntry(writes, trx, params.id, params.ipId);
          const message = ctx.text("ok.firewall_entry_removed", { ip: removed.address });
          return {
            body: { message, revision: removed.revision },
            headers: { etag: removed.etag },
          };
        }),
      );
    },
  };
}
