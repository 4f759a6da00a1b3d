import type { FastifyInstance } from "fastify";
import type { Db } from "#src/platform/database/db.ts";
import { answersQueries } from "#src/platform/database/ready.ts";
import type { PgBus } from "#src/platform/database/pg-bus.ts";

const databaseTimeoutMs = 2_000;

/** `/healthz`: the process is alive. `/readyz`: it can serve, for which it needs its database. */
export async function mountHealth(
  app: FastifyInstance,
  deps: { readonly db: Db; readonly bus: PgBus },
): Promise<void> {
  app.get("/healthz", { schema: { hide: true } }, async () => ({ status: "ok" }));
  app.get("/readyz", { schema: { hide: true } }, async (_request, reply) => {
    const database = await answersInTime(deps.db);
    const notifications = deps.bus.connected();
    const ready = database && notifications;
    void reply.code(ready ? 200 : 503).header("cache-control", "no-store");
    return { status: ready ? "ready" : "not ready", database, notifications };
  });
}

async function answersInTime(db: Db): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), databaseTimeoutMs);
  });
  const result = await Promise.race([answersQueries(db), late]);
  clearTimeout(timer);
  return result;
}
