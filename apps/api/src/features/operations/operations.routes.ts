import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { readOperations } from "./operations.service.ts";

export function mountOperationsRoutes(mount: Mount, { db }: { readonly db: Db }): void {
  mount(routes.staffOperations.readOperations, async (ctx) => ({
    body: { operations: await readOperations(db, ctx.now) },
  }));
}
