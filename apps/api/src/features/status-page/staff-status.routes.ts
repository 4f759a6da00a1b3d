import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import { selectLocationNames } from "./incidents.repository.ts";
import {
  addUpdate,
  createIncident,
  listIncidents,
  updateIncident,
  type IncidentDeps,
} from "./incidents.service.ts";
import { countConfirmed } from "./subscribers.repository.ts";

export interface StaffStatusDeps extends IncidentDeps {
  readonly db: Db;
}

export function mountStaffStatusRoutes(mount: Mount, deps: StaffStatusDeps): void {
  const { db } = deps;
  mount(routes.staffStatus.listIncidents, async (ctx) => ({
    body: {
      incidents: await listIncidents(db, ctx.now),
      locations: (await selectLocationNames(db)).map(({ name, display_name }) => ({
        name,
        display_name,
      })),
      subscribers: await countConfirmed(db),
      generated_at: ctx.now.toISOString(),
    },
  }));
  mount(routes.staffStatus.createIncident, (ctx, { body }) =>
    unitOfWork(ctx, async (trx) => {
      const incident = await createIncident(deps, trx, body, ctx.now);
      return { body: { message: ctx.text("ok.incident_published"), incident } };
    }),
  );
  mount(routes.staffStatus.updateIncident, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const incident = await updateIncident(deps, trx, params.incidentId, body);
      return { body: { message: ctx.text("ok.incident_changed"), incident } };
    }),
  );
  mount(routes.staffStatus.addUpdate, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const incident = await addUpdate(deps, trx, params.incidentId, body, ctx.now);
      return { body: { message: ctx.text("ok.incident_updated"), incident } };
    }),
  );
}
