import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import type { Db } from "#src/platform/database/db.ts";
import type { PgBus } from "#src/platform/database/pg-bus.ts";

const patienceMs = 2_000;

/** `/healthz`: the process lives. `/readyz`: it can serve, which takes its database. */
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
    timer = setTimeout(() => resolve(false), patienceMs);
  });
  const answer = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  );
  const result = await Promise.race([answer, late]);
  clearTimeout(timer);
  return result;
}
