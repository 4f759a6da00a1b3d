import { configSchemaVersion, shieldConfig } from "@palisade/contract/edge/shield-config";
import type { RouteDefinition } from "@palisade/contract/http/route";
import { routes } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createShield, enrolEdge } from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let owner: TestUser;
let shieldId: string;
let serial = 0;

beforeAll(async () => {
  testApp = await createTestApp();
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  owner = await createUser(testApp);
  ({ id: shieldId } = await createShield(testApp, owner, {
    domain: `mc${++serial}.example.com`,
  }));
  await putOnPlan("pro");
});

const { getBackends, addBackendServer, updateBackendServer } = routes.backends;
const address = { ip: "127.0.0.1", port: 25_565 };

async function putOnPlan(slug: string): Promise<void> {
  await sql`
    update shields set pricing_plan_id = (select id from pricing_plans where slug = ${slug})
    where id = ${shieldId}
  `.execute(testApp.platform.db);
}

function send(route: RouteDefinition, body?: unknown, params: Record<string, string> = {}) {
  return call(testApp, route, { token: owner.token, params: { id: shieldId, ...params }, body });
}

async function onlyServer() {
  const { backends, bedrock_available } = getBackends.response.parse(
    (await send(getBackends)).json(),
  );
  const [group] = backends;
  const [server] = group?.ips ?? [];
  if (group === undefined || server === undefined) throw new Error("No server");
  return { group, server, bedrock_available };
}

/** Changes the shield's server. */
async function change(body: object) {
  const { group, server } = await onlyServer();
  return send(
    updateBackendServer,
    { ...address, ...body },
    {
      backendId: group.id,
      ipId: server.id,
    },
  );
}

async function changed(body: object) {
  const answer = await change(body);
  expect(answer.statusCode, answer.body).toBe(200);
  const { bedrock_port, bedrock_proxy } = updateBackendServer.response.parse(answer.json()).entry;
  return [bedrock_port, bedrock_proxy];
}

async function compiled() {
  const { config } = await testApp.platform.db
    .selectFrom("shield_configs")
    .select("config")
    .where("schema", "=", configSchemaVersion)
    .where("shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
  const [backend] = shieldConfig.parse(JSON.parse(config)).groups[0]?.backends ?? [];
  return [backend?.bedrock_port, backend?.bedrock_proxy];
}

describe("a server", () => {
  test("takes no players of Bedrock until its owner says on which port", async () => {
    const { server, bedrock_available } = await onlyServer();
    expect(bedrock_available).toBe(true);
    expect([server.bedrock_port, server.bedrock_proxy]).toEqual([null, "off"]);
    expect(await compiled()).toEqual([null, "off"]);
    expect(await changed({ bedrock_port: 19_132, bedrock_proxy: "first" })).toEqual([
      19_132,
      "first",
    ]);
    expect(await compiled()).toEqual([19_132, "first"]);
    expect(await changed({ bedrock_port: null })).toEqual([null, "first"]);
    expect(await compiled()).toEqual([null, "off"]);
  });

  test("keeps both where a change leaves them out, as those of earlier callers do", async () => {
    await changed({ bedrock_port: 19_132, bedrock_proxy: "every" });
    expect(await changed({ port: 25_566 })).toEqual([19_132, "every"]);
  });

  test("has them from the start where it is added with them", async () => {
    const { group } = await onlyServer();
    const body = { ip: "127.0.0.1", port: 25_570, bedrock_port: 19_140, bedrock_proxy: "every" };
    const answer = await send(addBackendServer, body, { backendId: group.id });
    expect(addBackendServer.response.parse(answer.json()).entry).toMatchObject({
      bedrock_port: 19_140,
      bedrock_proxy: "every",
    });
  });

  test.each([
    ["a port that no backend may have", { bedrock_port: 3_306 }, "bedrock_port"],
    ["no port", { bedrock_port: 65_536 }, "bedrock_port"],
    ["a text", { bedrock_port: "19132" }, "bedrock_port"],
    ["an unknown way", { bedrock_proxy: "always" }, "bedrock_proxy"],
  ])("%s is refused at its field", async (_, body, path) => {
    const answer = await change(body);
    expect([answer.statusCode, answer.json().issues]).toMatchObject([422, [{ path }]]);
  });

  test("gets no new port without Bedrock in the plan; what it has stays, and can be removed", async () => {
    await changed({ bedrock_port: 19_132, bedrock_proxy: "first" });
    await putOnPlan("free");
    expect((await onlyServer()).bedrock_available).toBe(false);
    const refused = await change({ bedrock_port: 19_133 });
    expect([refused.statusCode, refused.json().code]).toEqual([403, "plan_required"]);
    expect(await changed({ bedrock_port: 19_132 })).toEqual([19_132, "first"]);
    expect(await compiled()).toEqual([null, "off"]);
    expect(await changed({ bedrock_port: null })).toEqual([null, "first"]);
  });
});

describe("the health of a server's Bedrock port", () => {
  async function report(backendId: string): Promise<void> {
    await sql`
      insert into bedrock_health (edge_id, backend_id, state, players, latency_ms, reported_at)
      select id, ${backendId}, 'up', 2, 9, clock_timestamp() from edges
    `.execute(testApp.platform.db);
    await sql`update edges set last_seen_at = clock_timestamp()`.execute(testApp.platform.db);
  }
  const shown = async () => (await onlyServer()).server.bedrock_health;

  test("is shown while Bedrock is on, and is unknown again at another port", async () => {
    expect(await shown()).toBeNull();
    await changed({ bedrock_port: 19_132, bedrock_proxy: "first" });
    await report((await onlyServer()).server.id);
    expect(await shown()).toMatchObject({ state: "unknown", players: 0 });
    await send(routes.bedrock.updateBedrock, { bedrock_enabled: true });
    expect(await shown()).toMatchObject({ state: "up", players: 2, latency_ms: 9, edges_up: 1 });
    await changed({ bedrock_port: 19_132, bedrock_proxy: "first" });
    expect(await shown()).toMatchObject({ state: "up" });
    await changed({ bedrock_port: 19_133 });
    expect(await shown()).toMatchObject({ state: "unknown" });
    await changed({ bedrock_port: null });
    expect(await shown()).toBeNull();
  });
});

test("the history names a server's port for Bedrock, and restores it", async () => {
  await changed({ bedrock_port: 19_132, bedrock_proxy: "first" });
  await changed({ bedrock_port: 19_140, bedrock_proxy: "every" });
  const { data } = routes.history.listHistory.response.parse(
    (await send(routes.history.listHistory)).json(),
  );
  const [second, first] = data.filter(({ area }) => area === "backends");
  expect(second?.changes).toMatchObject([
    {
      field: "bedrock_servers",
      added: ["127.0.0.1:25565 19140 every"],
      removed: ["127.0.0.1:25565 19132 first"],
    },
  ]);
  const answer = await send(routes.history.restoreHistory, {}, { entryId: first?.id ?? "" });
  expect(answer.json()).toMatchObject({ restored: ["backends"], left_out: [] });
  const { server } = await onlyServer();
  expect([server.bedrock_port, server.bedrock_proxy]).toEqual([19_132, "first"]);
});
