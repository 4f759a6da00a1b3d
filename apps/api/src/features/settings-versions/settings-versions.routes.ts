import { routes } from "@palisade/contract/http/routes";
import { presentChange } from "#src/features/shield-history/shield-history.service.ts";
import { readSettings } from "#src/features/configuration/settings-state.service.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { RestoreDeps } from "./restorers.ts";
import { restoreVersion } from "./restore.service.ts";
import { differences, readVersion } from "./settings-versions.service.ts";

export function mountSettingsVersionRoutes(
  mount: Mount,
  deps: RestoreDeps & { readonly db: Db },
): void {
  mount(routes.history.compareHistory, async (ctx, { params, query }) => {
    const { id } = params;
    // One snapshot: a change between two reads would be undone from settings without it.
    const areas = await deps.db
      .transaction()
      .setIsolationLevel("repeatable read")
      .setAccessMode("read only")
      .execute(async (trx) => {
        const from =
          query.with === undefined
            ? await readSettings(trx, id)
            : await readVersion(trx, id, query.with);
        return differences(from, await readVersion(trx, id, params.entryId));
      });
    const { rights } = ctx.shield;
    return {
      body: {
        areas: areas
          // History does not show what the member may not see elsewhere.
          .filter(({ area }) => rights[area] !== "none")
          .map(({ area, changes }) => ({ area, changes: changes.map(presentChange) })),
      },
    };
  });

  mount(routes.history.restoreHistory, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const caller = {
        shieldId: params.id,
        userId: ctx.actor.userId,
        now: ctx.now,
        locale: ctx.locale,
        ip: ctx.ip,
        rights: ctx.shield.rights,
      };
      const request = { entryId: params.entryId, areas: body.areas };
      const { restored, left_out, revision } = await restoreVersion(deps, trx, caller, request);
      const message = ctx.text(restored.length === 0 ? "restore.nothing" : "ok.restored");
      return {
        body: { message, revision, restored: [...restored], left_out: [...left_out] },
      };
    }),
  );
}
