import { routes } from "@palisade/contract/http/routes";
import type { Bus } from "#src/platform/database/bus.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Jobs } from "#src/platform/jobs/jobs.ts";
import { drain, enrol, inviteEdge, listEdges, renewCredential, revoke } from "./edges.service.ts";

export interface EdgesRoutesDeps {
  readonly db: Db;
  readonly bus: Bus;
  readonly jobs: Jobs;
}

export function mountEdgesRoutes(mount: Mount, deps: EdgesRoutesDeps): void {
  mount(routes.staffEdges.listEdges, async () => ({
    body: { edges: await listEdges(deps.db) },
  }));
  mount(routes.staffEdges.createEdge, (ctx, { body }) =>
    unitOfWork(ctx, async (trx) => {
      const { edge, token } = await inviteEdge(trx, body, ctx.now);
      return { body: { edge, enrolment_token: token } };
    }),
  );
  mount(routes.staffEdges.revokeEdge, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      await revoke(deps, trx, params.edgeId);
      return { body: { message: ctx.text("ok.edge_revoked") } };
    }),
  );
  mount(routes.staffEdges.drainEdge, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const { drained, even_last: evenLast } = body;
      await drain(deps, trx, { edgeId: params.edgeId, drained, evenLast });
      return { body: { message: ctx.text(drained ? "ok.edge_drained" : "ok.edge_undrained") } };
    }),
  );
  mount(routes.edge.renewCredential, async (ctx) => ({
    body: await deps.db
      .transaction()
      .execute((trx) => renewCredential(trx, ctx.actor.edgeId, ctx.now)),
  }));
  mount(routes.edge.enrol, (ctx, { body }) =>
    unitOfWork(ctx, async (trx) => ({
      body: await enrol(deps, trx, { ...body, now: ctx.now }),
    })),
  );
}
