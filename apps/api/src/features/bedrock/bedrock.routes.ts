import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import {
  addDefaultPort,
  addRandomPort,
  getBedrock,
  removePort,
  updateBedrock,
  type BedrockDeps,
} from "./bedrock.service.ts";

export function mountBedrockRoutes(
  mount: Mount,
  { db, ...deps }: BedrockDeps & { readonly db: Db },
): void {
  mount(routes.bedrock.getBedrock, async (_ctx, { params }) => {
    const { bedrock, etag } = await getBedrock(db, deps.ports, params.id);
    return { body: bedrock, headers: { etag } };
  });
  mount(routes.bedrock.updateBedrock, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const request = { shieldId: params.id, now: ctx.now, ifMatch: ctx.ifMatch };
      const { etag, ...answer } = await updateBedrock(deps, trx, request, body.bedrock_enabled);
      return { body: { message: ctx.text("ok.bedrock_updated"), ...answer }, headers: { etag } };
    }),
  );
  mount(routes.bedrock.addRandomPort, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      const request = { shieldId: params.id, now: ctx.now };
      const { etag, ...answer } = await addRandomPort(deps, trx, request);
      return { body: { message: ctx.text("ok.random_port_added"), ...answer }, headers: { etag } };
    }),
  );
  mount(routes.bedrock.addDefaultPort, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      const request = { shieldId: params.id, now: ctx.now };
      const { etag, ...answer } = await addDefaultPort(deps, trx, request);
      return { body: { message: ctx.text("ok.default_port_added"), ...answer }, headers: { etag } };
    }),
  );
  mount(routes.bedrock.removePort, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      const request = { shieldId: params.id, portId: params.portId, now: ctx.now };
      const { etag, ...answer } = await removePort(deps, trx, request);
      return { body: { message: ctx.text("ok.port_deleted"), ...answer }, headers: { etag } };
    }),
  );
}
