import { routes } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { newId } from "#src/platform/database/ids.ts";
import type { RouteSample } from "./route-sample.ts";
import type { TestWorld } from "./test-world.ts";
import { call } from "./test-users.ts";

/** The plan's groups are all but used up by the calls before. */
async function makeRoom({ testApp, shieldId }: TestWorld): Promise<void> {
  const { db } = testApp.platform;
  await sql`
    update shields set pricing_plan_id = (select id from pricing_plans where slug = 'pro')
    where id = ${shieldId}
  `.execute(db);
  await db
    .deleteFrom("backend_groups")
    .where("shield_id", "=", shieldId)
    .where("is_default", "=", false)
    .execute();
}

async function addGroup(world: TestWorld): Promise<string> {
  await makeRoom(world);
  const id = newId();
  await world.testApp.platform.db
    .insertInto("backend_groups")
    .values({
      id,
      shield_id: world.shieldId,
      name: "Sample",
      balancing: "random",
      proxy_protocol: false,
      is_default: false,
      created_at: world.testApp.clock.now(),
    })
    .execute();
  return id;
}

async function addServer(world: TestWorld) {
  const backendId = await addGroup(world);
  const answer = await call(world.testApp, routes.backends.addBackendServer, {
    token: world.owner.token,
    params: { id: world.shieldId, backendId },
    body: { ip: "127.0.0.1", port: 25_570 },
  });
  const { entry } = routes.backends.addBackendServer.response.parse(answer.json());
  return { id: world.shieldId, backendId, ipId: entry.id };
}

export const backendSamples = {
  "backends.get": ({ shieldId }) => ({ params: { id: shieldId } }),
  async "backends.create"(world) {
    await makeRoom(world);
    return { params: { id: world.shieldId }, body: { name: "Lobby" } };
  },
  async "backends.update"(world) {
    const params = { id: world.shieldId, backendId: await addGroup(world) };
    return { params, body: { load_balancing: "IP Hash" } };
  },
  async "backends.delete"(world) {
    return { params: { id: world.shieldId, backendId: await addGroup(world) } };
  },
  async "backends.addServer"(world) {
    const params = { id: world.shieldId, backendId: await addGroup(world) };
    return { params, body: { ip: "127.0.0.1", port: 25_570 } };
  },
  async "backends.updateServer"(world) {
    return { params: await addServer(world), body: { ip: "127.0.0.1", port: 25_571 } };
  },
  async "backends.removeServer"(world) {
    return { params: await addServer(world) };
  },
  async "backends.checkProof"(world) {
    return { params: await addServer(world) };
  },
} as const satisfies Readonly<Record<`backends.${string}`, RouteSample>>;
