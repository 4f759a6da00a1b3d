import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import type { ShieldGrant } from "#src/platform/http/pipeline/context.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import {
  addBackend,
  changeBackend,
  removeBackend,
  type BackendDeps,
} from "./group-backends.service.ts";
import {
  changeGroup,
  createGroup,
  listBackends,
  removeGroup,
  type GroupDeps,
  type GroupRequest,
} from "./backend-groups.service.ts";

interface BackendsRoutesDeps extends GroupDeps, BackendDeps {
  readonly db: Db;
  /** The token by which the shield's owner proves a backend. */
  readonly proofToken: (shieldId: string) => string;
}

export function mountBackendsRoutes(mount: Mount, deps: BackendsRoutesDeps): void {
  mount(routes.backends.getBackends, async (ctx) => {
    const shieldId = ctx.shield.id;
    const listed = await listBackends(deps.db, { shieldId, locale: ctx.locale });
    return { body: { ...listed, proof_token: deps.proofToken(shieldId) } };
  });
  mount(routes.backends.createBackendGroup, (ctx, { body }) =>
    unitOfWork(ctx, async (trx) => {
      const { backend, revision } = await createGroup(deps, trx, requestOf(ctx), body);
      const message = ctx.text("ok.group_created");
      return { body: { message, revision, backend }, headers: { etag: backend.etag } };
    }),
  );
  mount(routes.backends.updateBackendGroup, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const request = { ...requestOf(ctx), groupId: params.backendId };
      const { backend, revision } = await changeGroup(deps, trx, request, body);
      const message = ctx.text("ok.group_updated");
      return { body: { message, revision, backend }, headers: { etag: backend.etag } };
    }),
  );
  mount(routes.backends.deleteBackendGroup, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      const request = { ...requestOf(ctx), groupId: params.backendId };
      const { revision } = await removeGroup(deps, trx, request);
      return { body: { message: ctx.text("ok.group_deleted"), revision } };
    }),
  );
  mount(routes.backends.addBackendServer, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const request = { ...requestOf(ctx), groupId: params.backendId };
      const answer = await addBackend(deps, trx, request, body);
      const message = ctx.text("ok.backend_added");
      return { body: { message, ...answer }, headers: { etag: answer.backend.etag } };
    }),
  );
  mount(routes.backends.updateBackendServer, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const { backendId: groupId, ipId: serverId } = params;
      const request = { ...requestOf(ctx), groupId, serverId };
      const answer = await changeBackend(deps, trx, request, body);
      const message = ctx.text("ok.backend_updated");
      return { body: { message, ...answer }, headers: { etag: answer.backend.etag } };
    }),
  );
  mount(routes.backends.removeBackendServer, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      const { backendId: groupId, ipId: serverId } = params;
      const request = { ...requestOf(ctx), groupId, serverId };
      const answer = await removeBackend(deps, trx, request);
      const message = ctx.text("ok.backend_deleted");
      return { body: { message, ...answer }, headers: { etag: answer.backend.etag } };
    }),
  );
}

function requestOf(ctx: Omit<GroupRequest, "shieldId"> & { readonly shield: ShieldGrant }) {
  const { locale, now, ifMatch } = ctx;
  return { shieldId: ctx.shield.id, locale, now, ifMatch };
}
