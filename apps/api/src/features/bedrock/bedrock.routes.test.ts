import { configSchemaVersion, shieldConfig } from "@palisade/contract/edge/shield-config";
import type { RouteDefinition } from "@palisade/contract/http/route";
import { routes } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { shieldPurge } from "#src/features/shields/shield-purge.jobs.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createShield, enrolEdge } from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";
import { restMs } from "./bedrock-ports.service.ts";

/** Few, so that they run out. */
const pool = { first: 20_000, last: 20_005 };

let testApp: TestApp;
let staff: TestUser;
let owner: TestUser;
let shieldId: string;
let serial = 0;

beforeAll(async () => {
  testApp = await createTestApp({ config: { bedrockPorts: { standard: 19_132, pool } } });
  const first = await createStaff(testApp);
  await enrolEdge(testApp, first, { name: "one", addresses: ["192.0.2.7"] });
  await enrolEdge(testApp, first, { name: "fra", location: "frankfurt", addresses: ["192.0.2.8"] });
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  await testApp.platform.db.deleteFrom("bedrock_ports").execute();
  // Anew, because tests move the clock by days.
  staff = await createStaff(testApp);
  owner = await createUser(testApp);
  shieldId = await shieldOnPro();
});

const { getBedrock, updateBedrock, addRandomPort, addDefaultPort, removePort } = routes.bedrock;

async function putOnPlan(id: string, slug: string): Promise<void> {
  await sql`
    update shields set pricing_plan_id = (select id from pricing_plans where slug = ${slug})
    where id = ${id}
  `.execute(testApp.platform.db);
}

async function shieldOnPro(): Promise<string> {
  const { id } = await createShield(testApp, owner, { domain: `mc${++serial}.example.com` });
  await putOnPlan(id, "pro");
  return id;
}

interface Sent {
  readonly id?: string;
  readonly body?: unknown;
  readonly params?: Readonly<Record<string, string>>;
  readonly headers?: Record<string, string>;
}

function send(route: RouteDefinition, { id = shieldId, params, ...rest }: Sent = {}) {
  return call(testApp, route, { token: owner.token, params: { id, ...params }, ...rest });
}

async function read(id = shieldId) {
  return getBedrock.response.parse((await send(getBedrock, { id })).json());
}

async function added(route: RouteDefinition, id = shieldId): Promise<number> {
  const answer = await send(route, { id });
  expect(answer.statusCode, answer.body).toBe(201);
  return addRandomPort.response.parse(answer.json()).bedrock.ports.at(-1)?.port ?? 0;
}

async function grant(id = shieldId, granted = true) {
  const body = { granted, reason: "Asked for by ticket" };
  const answer = await call(testApp, routes.staffShields.setBedrockDefault, {
    token: staff.token,
    params: { shieldId: id },
    body,
  });
  expect(answer.statusCode, answer.body).toBe(200);
}

async function remove(port: number, id = shieldId): Promise<void> {
  const { ports } = await read(id);
  const portId = ports.find((each) => each.port === port)?.id ?? "";
  expect((await send(removePort, { id, params: { portId } })).statusCode).toBe(200);
}

async function compiled(id = shieldId) {
  const { config } = await testApp.platform.db
    .selectFrom("shield_configs")
    .select("config")
    .where("schema", "=", configSchemaVersion)
    .where("shield_id", "=", id)
    .executeTakeFirstOrThrow();
  return shieldConfig.parse(JSON.parse(config)).bedrock;
}

const codeOf = (answer: Awaited<ReturnType<typeof send>>) => [
  answer.statusCode,
  answer.json().code,
];
const statusesOf = (answers: readonly Awaited<ReturnType<typeof send>>[]) =>
  answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);

describe("Bedrock of a shield", () => {
  test("is off at first; ports reach the edges while it is on, each change with a revision", async () => {
    expect(await read()).toEqual({
      ports: [],
      ports_max: 5,
      default_port: 19_132,
      bedrock_enabled: false,
      has_server: false,
      needs_upgrade: false,
      add_default_available: false,
      add_random_available: true,
      request_default_available: true,
      edge_addresses: ["192.0.2.7", "192.0.2.8"],
    });
    const port = await added(addRandomPort);
    expect(port).toBeGreaterThanOrEqual(pool.first);
    expect(port).toBeLessThanOrEqual(pool.last);
    expect(await compiled()).toEqual({ ports: [], only_in: [] });
    const on = await send(updateBedrock, { body: { bedrock_enabled: true } });
    expect(on.json()).toMatchObject({ message: "Bedrock/Geyser setting updated", revision: 3 });
    expect(await compiled()).toEqual({ ports: [port], only_in: [] });
    await remove(port);
    expect(await compiled()).toEqual({ ports: [], only_in: [] });
    expect((await read()).bedrock_enabled).toBe(true);
  });

  test("a port has the shield's first proven domain beside it, or its label", async () => {
    await added(addRandomPort);
    const { db } = testApp.platform;
    const { cname_record } = await db
      .selectFrom("shields")
      .select("cname_record")
      .where("id", "=", shieldId)
      .executeTakeFirstOrThrow();
    expect((await read()).ports[0]?.domain).toBe(cname_record);
    const name = await provenDomain();
    expect((await read()).ports[0]?.domain).toBe(name);
  });

  async function provenDomain(): Promise<string> {
    const { db } = testApp.platform;
    const { name } = await db
      .updateTable("shield_domains")
      .set({ verified_at: testApp.clock.now() })
      .where("shield_id", "=", shieldId)
      .returning("name")
      .executeTakeFirstOrThrow();
    return name;
  }

  test("a stale If-Match is refused; a port makes no ETag stale", async () => {
    const etag = String((await send(getBedrock)).headers.etag);
    await added(addRandomPort);
    const body = { bedrock_enabled: true };
    const first = await send(updateBedrock, { body, headers: { "if-match": etag } });
    expect(first.statusCode).toBe(200);
    const stale = await send(updateBedrock, { body, headers: { "if-match": etag } });
    expect(codeOf(stale)).toEqual([412, "precondition_failed"]);
  });

  test("is not for shields that are not active, or of others", async () => {
    await testApp.platform.db
      .updateTable("shields")
      .set({ status: "expired" })
      .where("id", "=", shieldId)
      .execute();
    const answers = [
      await send(updateBedrock, { body: { bedrock_enabled: true } }),
      await send(addRandomPort),
      await send(addDefaultPort),
    ];
    for (const answer of answers) expect(codeOf(answer)).toEqual([409, "server_not_active"]);
  });

  test("no port of another shield can be deleted", async () => {
    const other = await shieldOnPro();
    await added(addRandomPort, other);
    const portId = (await read(other)).ports[0]?.id ?? "";
    expect((await send(removePort, { params: { portId } })).statusCode).toBe(404);
    expect((await read(other)).ports).toHaveLength(1);
  });
});

describe("a plan without Bedrock", () => {
  test("adds and turns on nothing, and says so; deleting stays possible", async () => {
    const port = await added(addRandomPort);
    await putOnPlan(shieldId, "free");
    expect(await read()).toMatchObject({
      needs_upgrade: true,
      bedrock_enabled: false,
      add_random_available: false,
      add_default_available: false,
      request_default_available: false,
    });
    const answers = [
      await send(updateBedrock, { body: { bedrock_enabled: true } }),
      await send(addRandomPort),
      await send(addDefaultPort),
    ];
    for (const answer of answers) expect(codeOf(answer)).toEqual([403, "plan_required"]);
    await remove(port);
  });

  test("takes the ports out of service; with Bedrock again they work again", async () => {
    const port = await added(addRandomPort);
    await send(updateBedrock, { body: { bedrock_enabled: true } });
    const setPlan = (plan: string) =>
      call(testApp, routes.staffShields.setShieldPlan, {
        token: staff.token,
        params: { shieldId },
        body: { plan, reason: "Wanted by the owner" },
      });
    expect((await setPlan("free")).statusCode).toBe(200);
    expect(await compiled()).toEqual({ ports: [], only_in: [] });
    expect((await read()).ports.map((each) => each.port)).toEqual([port]);
    expect((await setPlan("pro")).statusCode).toBe(200);
    expect(await compiled()).toEqual({ ports: [port], only_in: [] });
  });
});

describe("random ports", () => {
  test("have one owner each, also when two shields ask for the last ones at once", async () => {
    const other = await shieldOnPro();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        send(addRandomPort, { id: index % 2 === 0 ? shieldId : other }),
      ),
    );
    expect(statusesOf(answers)).toEqual([201, 201, 201, 201, 201, 201, 409, 409]);
    const refused = answers.filter(({ statusCode }) => statusCode === 409);
    for (const answer of refused) expect(answer.json().code).toBe("pool_exhausted");
    const ports = [...(await read()).ports, ...(await read(other)).ports].map(({ port }) => port);
    expect(ports.toSorted((a, b) => a - b)).toEqual([
      20_000, 20_001, 20_002, 20_003, 20_004, 20_005,
    ]);
  });

  test("are five for a shield at most, also when they are asked for at once", async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(addRandomPort)));
    expect(statusesOf(answers)).toEqual([201, 201, 201, 201, 201, 409]);
    const refused = answers.find(({ statusCode }) => statusCode === 409);
    expect(refused?.json()).toMatchObject({
      code: "ports_full",
      message: "A shield can have 5 Bedrock ports. Delete one first",
    });
    expect((await read()).add_random_available).toBe(false);
  });

  test("rest for a day before another shield gets one", async () => {
    const other = await shieldOnPro();
    for (let n = 0; n < 5; n += 1) await added(addRandomPort);
    await added(addRandomPort, other);
    const [first] = (await read()).ports;
    await remove(first?.port ?? 0);
    testApp.clock.advance(restMs - 1);
    expect(codeOf(await send(addRandomPort, { id: other }))).toEqual([409, "pool_exhausted"]);
    testApp.clock.advance(1);
    expect(await added(addRandomPort, other)).toBe(first?.port);
  });
});

describe("the default port", () => {
  test("is for shields that staff granted it, once; taken away, it is closed", async () => {
    const refused = await send(addDefaultPort);
    expect(refused.json()).toMatchObject({
      code: "forbidden",
      message: "The default port has to be requested from support",
    });
    await grant();
    expect(await read()).toMatchObject({
      add_default_available: true,
      request_default_available: false,
    });
    await send(updateBedrock, { body: { bedrock_enabled: true } });
    expect(await added(addDefaultPort)).toBe(19_132);
    expect(await compiled()).toEqual({
      ports: [19_132],
      only_in: [{ port: 19_132, locations: ["local"] }],
    });
    expect(codeOf(await send(addDefaultPort))).toEqual([409, "conflict"]);
    await grant(shieldId, false);
    expect((await read()).ports).toEqual([]);
    expect(await compiled()).toEqual({ ports: [], only_in: [] });
  });

  test("has one owner in a location, of two who ask at once, and one in each", async () => {
    const other = await shieldOnPro();
    await grant();
    await grant(other);
    const answers = await Promise.all([shieldId, other].map((id) => send(addDefaultPort, { id })));
    expect(statusesOf(answers)).toEqual([201, 409]);
    const [late, first] = (await read()).ports.length === 0 ? [shieldId, other] : [other, shieldId];
    const refused = await send(addDefaultPort, { id: late });
    expect(refused.json()).toMatchObject({
      code: "port_taken",
      message: "Another shield of this location has this port",
    });
    const move = (id: string) =>
      send(routes.regions.updateRegion, { id, body: { location: "frankfurt" } });
    expect((await move(late)).statusCode).toBe(200);
    await added(addDefaultPort, late);
    const stays = await move(first);
    expect(stays.json()).toMatchObject({
      code: "port_taken",
      message:
        "Another shield has the default Bedrock port in that region. Delete the port of this shield before you move it",
    });
  });

  test("moves with its shield; where it was, it is served while DNS leads there, and rests", async () => {
    const other = await shieldOnPro();
    await grant();
    await grant(other);
    await send(updateBedrock, { body: { bedrock_enabled: true } });
    await added(addDefaultPort);
    const answer = await send(routes.regions.updateRegion, { body: { location: "frankfurt" } });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(await compiled()).toEqual({
      ports: [19_132],
      only_in: [{ port: 19_132, locations: ["frankfurt", "local"] }],
    });
    expect(codeOf(await send(addDefaultPort, { id: other }))).toEqual([409, "port_taken"]);
    testApp.clock.advance(restMs);
    await added(addDefaultPort, other);
  });
});

describe("a deleted shield", () => {
  const erase = async () => {
    const { server_name } = await testApp.platform.db
      .selectFrom("shields")
      .select("server_name")
      .where("id", "=", shieldId)
      .executeTakeFirstOrThrow();
    const answer = await send(routes.serverLife.deleteServer, { body: { server_name } });
    expect(answer.statusCode, answer.body).toBe(200);
  };

  test("frees its ports after they have rested; restored, it has those that are still free", async () => {
    await grant();
    const port = await added(addRandomPort);
    await added(addDefaultPort);
    const other = await shieldOnPro();
    await grant(other);
    await erase();
    expect(codeOf(await send(addDefaultPort, { id: other }))).toEqual([409, "port_taken"]);
    testApp.clock.advance(restMs);
    await added(addDefaultPort, other);
    const restored = await send(routes.serverLife.restoreServer);
    expect(restored.statusCode, restored.body).toBe(200);
    expect((await read()).ports.map((each) => each.port)).toEqual([port]);
  });

  test("is not named beside its ports once it is erased; what was exported names them", async () => {
    await grant();
    const port = await added(addRandomPort);
    const answer = await call(testApp, routes.account.exportAccount, { token: owner.token });
    expect(answer.json().account).toMatchObject({
      bedrock: [{ shield_id: shieldId, enabled: false, default_granted: true }],
      bedrock_ports: [{ shield_id: shieldId, port, removed_at: null }],
    });
    await erase();
    testApp.clock.advance(15 * restMs);
    const { db, log } = testApp.platform;
    await shieldPurge({ db, clock: testApp.clock, log }).run({});
    const ports = await db.selectFrom("bedrock_ports").select(["shield_id", "port"]).execute();
    expect(ports).toEqual([{ shield_id: null, port }]);
    const settings = db.selectFrom("shield_bedrock").where("shield_id", "=", shieldId);
    expect(await settings.selectAll().execute()).toEqual([]);
  });
});

test("the history names changes of Bedrock, and restores the switch but no port", async () => {
  const port = await added(addRandomPort);
  await send(updateBedrock, { body: { bedrock_enabled: true } });
  const history = async () =>
    routes.history.listHistory.response
      .parse((await send(routes.history.listHistory)).json())
      .data.filter(({ area }) => area === "bedrock");
  const [on, portAdded] = await history();
  expect(on?.changes).toMatchObject([{ field: "bedrock_enabled", before: false, after: true }]);
  expect(portAdded?.changes).toMatchObject([{ field: "bedrock_ports", added: [String(port)] }]);
  await remove(port);
  await send(updateBedrock, { body: { bedrock_enabled: false } });
  const restored = await send(routes.history.restoreHistory, {
    params: { entryId: on?.id ?? "" },
    body: {},
  });
  expect(restored.json()).toMatchObject({
    restored: ["bedrock"],
    left_out: [{ area: "bedrock", field: "bedrock_ports" }],
  });
  expect(await read()).toMatchObject({ bedrock_enabled: true, ports: [] });
});
