import { configSchemaVersion, shieldConfig } from "@palisade/contract/edge/shield-config";
import { groupServersMax } from "@palisade/contract/http/backends";
import type { RouteDefinition } from "@palisade/contract/http/route";
import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  createShield,
  enrolEdge,
  planIdOf,
  type PlanSlug,
} from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";

const { backends: calls } = routes;

let testApp: TestApp;
let owner: TestUser;
let shieldId: string;

beforeAll(async () => {
  testApp = await createTestApp({ config: { otherPorts: { first: 40_000, last: 40_001 } } });
  const staff = await createStaff(testApp);
  await enrolEdge(testApp, staff, { name: "one" });
  await enrolEdge(testApp, staff, { name: "two", location: "frankfurt" });
  owner = await createUser(testApp);
});
afterAll(() => testApp.close());
beforeEach(async () => {
  await testApp.platform.db.deleteFrom("backend_groups").where("game", "=", "other").execute();
  shieldId = (await createShield(testApp, owner)).id;
  await setPlan("pro");
});

async function setPlan(slug: PlanSlug): Promise<void> {
  await testApp.platform.db
    .updateTable("shields")
    .set({ pricing_plan_id: await planIdOf(testApp, slug) })
    .where("id", "=", shieldId)
    .execute();
}

function send(
  route: RouteDefinition,
  ids: Readonly<Record<string, string>> = {},
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const params = { id: shieldId, ...ids };
  return call(testApp, route, { token: owner.token, params, body, headers });
}

async function list() {
  return calls.getBackends.response.parse((await send(calls.getBackends)).json());
}

async function defaultGroup() {
  const group = (await list()).backends.find(({ default: isDefault }) => isDefault);
  if (group === undefined) throw new Error("No default group");
  return group;
}

async function create(body: unknown = { name: "Lobby" }) {
  const answer = await send(calls.createBackendGroup, {}, body);
  expect(answer.statusCode, answer.body).toBe(201);
  return calls.createBackendGroup.response.parse(answer.json());
}

async function addServer(backendId: string, ip: string, port = 25_565) {
  const answer = await send(calls.addBackendServer, { backendId }, { ip, port });
  expect(answer.statusCode, answer.body).toBe(201);
  return calls.addBackendServer.response.parse(answer.json());
}

async function compiled() {
  const row = await testApp.platform.db
    .selectFrom("shield_configs")
    .select("config")
    .where("schema", "=", configSchemaVersion)
    .where("shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
  return shieldConfig.parse(JSON.parse(row.config));
}

function codeOf(answer: { readonly statusCode: number; json(): { code: string } }) {
  return [answer.statusCode, answer.json().code];
}

function statusesOf(answers: readonly { readonly statusCode: number }[]): number[] {
  return answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);
}

describe("backend groups", () => {
  test("a new shield has its default group with the server it was made for", async () => {
    const { backends, available_regions, groups_max } = await list();
    expect(backends).toMatchObject([
      {
        name: "Default",
        game: "minecraft",
        region: "anycast_legacy",
        region_name: "Anycast (Legacy)",
        load_balancing: "round_robin",
        proxy_protocol: false,
        default: true,
        port: null,
        ips: [{ ip: "127.0.0.1", port: 25_565, health: { state: "unknown", players: 0 } }],
      },
    ]);
    expect(groups_max).toBe(10);
    expect(available_regions).toEqual([
      { name: "anycast_legacy", display_name: "Anycast (Legacy)", value: "anycast_legacy" },
      { name: "local", display_name: "This machine", value: "local" },
      { name: "frankfurt", display_name: "Germany", value: "frankfurt" },
    ]);
  });

  test("choices are taken as values and as they are shown, in any language", async () => {
    const { backend, revision, message } = await create({
      name: " Lobby\u200B ",
      game: "Minecraft",
      region: "Германия",
      load_balancing: "IP Hash",
      proxy_protocol: true,
      default: false,
    });
    expect(message).toBe("Backend group created successfully");
    expect(backend).toMatchObject({
      name: "Lobby",
      region: "frankfurt",
      region_name: "Germany",
      load_balancing: "ip_hash",
      proxy_protocol: true,
    });
    for (const region of ["Anycast (Legacy)", "anycast_legacy"]) {
      const answer = await send(calls.updateBackendGroup, { backendId: backend.id }, { region });
      expect(answer.json().backend.region).toBe("anycast_legacy");
    }
    const config = await compiled();
    expect(config.revision).toBe(revision + 2);
    expect(config.groups[1]).toMatchObject({ name: "Lobby", location: null, balancing: "ip_hash" });
  });

  test.each([
    [{}, "name", "Name is required"],
    [{ name: "  " }, "name", "Name is required"],
    [{ name: "x".repeat(256) }, "name", "Name must not exceed 255 characters"],
    [{ name: "a", game: "Chess" }, "game", "Game must be Minecraft or Other"],
    [{ name: "a", load_balancing: "best" }, "load_balancing", /^Load balancing must be/],
    [{ name: "a", region: "Atlantis" }, "region", "This location is not available"],
    [{ name: "a", region: "stockholm" }, "region", "This location is not available"],
    [{ name: "a", proxy_protocol: "yes" }, "proxy_protocol", "Must be true or false"],
    [{ name: "a", game: "other", default: true }, "default", /cannot be the default one$/],
  ])("%j is refused at %s and changes nothing", async (body, path, message) => {
    const answer = await send(calls.createBackendGroup, {}, body);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().issues).toMatchObject([{ path, message: expect.stringMatching(message) }]);
    expect((await compiled()).revision).toBe(1);
  });

  test("a plan's limit holds, also for two who come for the last place at once", async () => {
    await setPlan("plus");
    await create({ name: "second" });
    const answers = await Promise.all(
      ["third", "fourth"].map((name) => send(calls.createBackendGroup, {}, { name })),
    );
    expect(statusesOf(answers)).toEqual([201, 403]);
    const refused = answers.find(({ statusCode }) => statusCode === 403)?.json();
    expect(refused).toMatchObject({
      code: "plan_limit",
      message: "Your plan allows 3 backend groups",
    });
    expect((await list()).backends).toHaveLength(3);
  });

  test("one group is the default: taking it over is one step, giving it up alone is refused", async () => {
    const first = await defaultGroup();
    const { backend } = await create({ name: "Lobby", default: true });
    const now = await list();
    expect(now.backends.map((group) => [group.name, group.default])).toEqual([
      ["Lobby", true],
      ["Default", false],
    ]);
    expect(now.backends[1]?.etag).not.toBe(first.etag);
    for (const body of [{ default: false }, { game: "other" }]) {
      const answer = await send(calls.updateBackendGroup, { backendId: backend.id }, body);
      expect(codeOf(answer)).toEqual([409, "default_group"]);
      expect(answer.json().message).toBe("Make another group the default one first");
    }
    // Two at once: the last call wins, and there is always exactly one.
    const others = [first.id, (await create({ name: "third" })).backend.id];
    const both = others.map((backendId) =>
      send(calls.updateBackendGroup, { backendId }, { default: true }),
    );
    expect(statusesOf(await Promise.all(both))).toEqual([200, 200]);
    const { groups } = await compiled();
    expect(groups.filter((group) => group.default)).toHaveLength(1);
  });

  test("neither the last nor the default group can be deleted; another goes with its servers", async () => {
    const { id: backendId } = await defaultGroup();
    expect(codeOf(await send(calls.deleteBackendGroup, { backendId }))).toEqual([
      409,
      "last_group",
    ]);
    const { backend } = await create();
    await addServer(backend.id, "203.0.113.7");
    expect(codeOf(await send(calls.deleteBackendGroup, { backendId }))).toEqual([
      409,
      "default_group",
    ]);
    const answer = await send(calls.deleteBackendGroup, { backendId: backend.id });
    expect(answer.json()).toEqual({
      message: "Backend group deleted successfully",
      revision: 4,
    });
    expect((await compiled()).groups).toHaveLength(1);
  });

  test("a write based on an older state is refused, whatever changed it; none is lost in parallel", async () => {
    const { id: backendId, etag } = await defaultGroup();
    const based = (name: string) =>
      send(calls.updateBackendGroup, { backendId }, { name }, { "if-match": etag });
    const answers = await Promise.all([based("one"), based("two")]);
    expect(statusesOf(answers)).toEqual([200, 412]);
    const { backend } = await addServer(backendId, "203.0.113.7");
    const before = answers.find(({ statusCode }) => statusCode === 200)?.headers.etag;
    expect(backend.etag).not.toBe(before);
    for (const [route, body] of [
      [calls.updateBackendGroup, { name: "three" }],
      [calls.deleteBackendGroup, undefined],
    ] as const) {
      const answer = await send(route, { backendId }, body, { "if-match": String(before) });
      expect(codeOf(answer)).toEqual([412, "precondition_failed"]);
    }
    const fresh = { "if-match": backend.etag };
    const last = await send(calls.updateBackendGroup, { backendId }, { name: "three" }, fresh);
    expect(last.json()).toMatchObject({
      message: "Backend group updated successfully",
      backend: { name: "three", load_balancing: "round_robin" },
    });
  });

  test("groups and servers of another shield are not found", async () => {
    const own = (await create()).backend;
    const theirs = await addServer(own.id, "203.0.113.7");
    const [groupId, serverId] = [own.id, theirs.entry.id];
    shieldId = (await createShield(testApp, owner)).id;
    const mine = await defaultGroup();
    const server = mine.ips[0]?.id ?? "";
    const body = { ip: "203.0.113.9", port: 4_001 };
    const answers = [
      await send(calls.updateBackendGroup, { backendId: groupId }, { name: "x" }),
      await send(calls.deleteBackendGroup, { backendId: groupId }),
      await send(calls.addBackendServer, { backendId: groupId }, body),
      await send(calls.updateBackendServer, { backendId: groupId, ipId: serverId }, body),
      await send(calls.updateBackendServer, { backendId: mine.id, ipId: serverId }, body),
      await send(calls.removeBackendServer, { backendId: groupId, ipId: serverId }),
      await send(calls.removeBackendServer, { backendId: mine.id, ipId: serverId }),
      await send(calls.removeBackendServer, { backendId: groupId, ipId: server }),
    ];
    for (const answer of answers) expect(codeOf(answer)).toEqual([404, "not_found"]);
    expect((await compiled()).revision).toBe(1);
  });

  test("a shield that is not active keeps its groups: 409", async () => {
    const { id: backendId } = await defaultGroup();
    await testApp.platform.db
      .updateTable("shields")
      .set({ status: "expired" })
      .where("id", "=", shieldId)
      .execute();
    const answers = [
      await send(calls.createBackendGroup, {}, { name: "x" }),
      await send(calls.updateBackendGroup, { backendId }, { name: "x" }),
      await send(calls.deleteBackendGroup, { backendId }),
      await send(calls.addBackendServer, { backendId }, { ip: "203.0.113.7", port: 4_001 }),
    ];
    for (const answer of answers) expect(codeOf(answer)).toEqual([409, "server_not_active"]);
    expect((await send(calls.getBackends)).statusCode).toBe(200);
  });
});

describe("a group of another game", () => {
  const other = { name: "Rust", game: "Other" };

  test("has a port of its own, keeps it through changes and gives it back with its game", async () => {
    const { backend } = await create(other);
    const taken = backend.port;
    expect([40_000, 40_001]).toContain(taken);
    const update = (body: unknown) =>
      send(calls.updateBackendGroup, { backendId: backend.id }, body);
    expect((await update({ name: "Rust 2" })).json().backend.port).toBe(taken);
    expect((await compiled()).groups[1]).toMatchObject({ game: "other", port: taken });
    expect((await update({ game: "minecraft" })).json().backend.port).toBeNull();
    expect((await update({ game: "other" })).json().backend.port).not.toBeNull();
  });

  test("gets the last free port once, of two who ask at the same time", async () => {
    await create(other);
    const answers = await Promise.all(
      ["one", "two"].map((name) => send(calls.createBackendGroup, {}, { ...other, name })),
    );
    expect(statusesOf(answers)).toEqual([201, 409]);
    expect(answers.map((answer) => answer.json().code)).toContain("pool_exhausted");
    const ports = (await list()).backends.flatMap(({ port }) => port ?? []);
    expect(ports.toSorted((a, b) => a - b)).toEqual([40_000, 40_001]);
  });

  test("a shield deleted for good gives its port back", async () => {
    await create(other);
    await create({ ...other, name: "second" });
    await testApp.platform.db
      .updateTable("shields")
      .set({
        status: "deleted",
        deleted_at: new Date(testApp.clock.nowMs() - 14 * 86_400_000 - 1),
      })
      .where("id", "=", shieldId)
      .execute();
    shieldId = (await createShield(testApp, owner)).id;
    await setPlan("pro");
    expect((await create(other)).backend.port).toBeGreaterThanOrEqual(40_000);
  });

  test("takes no domain with it: players of Minecraft are not sent there", async () => {
    const { backend } = await create();
    const { db } = testApp.platform;
    await db
      .updateTable("shield_domains")
      .set({ group_id: backend.id })
      .where("shield_id", "=", shieldId)
      .execute();
    await send(calls.updateBackendGroup, { backendId: backend.id }, { game: "other" });
    expect((await compiled()).domains).toMatchObject([{ group_id: null }]);
  });
});

describe("servers of a group", () => {
  test("are added, moved and removed, each followed by a revision", async () => {
    const { id: backendId } = await defaultGroup();
    const added = await addServer(backendId, "2001:DB8::1");
    expect(added).toMatchObject({
      message: "Backend IP added successfully",
      revision: 2,
      entry: { ip: "2001:db8::1", port: 25_565 },
    });
    const ids = { backendId, ipId: added.entry.id };
    const moved = await send(calls.updateBackendServer, ids, {
      ip: "Play.Example.com",
      port: 4_001,
    });
    expect(moved.json()).toMatchObject({
      revision: 3,
      entry: { ip: "play.example.com", port: 4_001 },
    });
    expect((await compiled()).groups[0]?.backends).toHaveLength(2);
    const removed = await send(calls.removeBackendServer, ids);
    expect(removed.json()).toMatchObject({ message: "Backend deleted successfully", revision: 4 });
    expect((await compiled()).groups[0]?.backends).toMatchObject([{ host: "127.0.0.1" }]);
    expect((await send(calls.removeBackendServer, ids)).statusCode).toBe(404);
  });

  test.each([
    [{ port: 1 }, "ip", "IP is required"],
    [{ ip: " ", port: 1 }, "ip", "IP is required"],
    [{ ip: "1.2.3", port: 1 }, "ip", "The IP field must be a valid IP address."],
    [{ ip: "010.1.1.1", port: 1 }, "ip", "The IP field must be a valid IP address."],
    [{ ip: "1.2.3.4" }, "port", "Port is required"],
    [{ ip: "1.2.3.4", port: 0 }, "port", "The port field must be a valid port number."],
    [{ ip: "1.2.3.4", port: 99_999 }, "port", "The port field must be a valid port number."],
    [{ ip: "1.2.3.4", port: "80" }, "port", "The port field must be a valid port number."],
  ])("%j is refused at %s", async (body, path, message) => {
    const { id: backendId } = await defaultGroup();
    const answer = await send(calls.addBackendServer, { backendId }, body);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().issues[0]).toMatchObject({ path, message });
  });

  test("are in a group once, however the address is written, also for two at once", async () => {
    const { id: backendId } = await defaultGroup();
    const add = (ip: string) => send(calls.addBackendServer, { backendId }, { ip, port: 4_007 });
    const answers = await Promise.all([add("203.0.113.7"), add("::ffff:203.0.113.7")]);
    expect(statusesOf(answers)).toEqual([201, 422]);
    expect(codeOf(await add("203.0.113.7"))).toEqual([422, "backend_exists"]);
    const { entry } = await addServer(backendId, "203.0.113.7", 4_008);
    const ids = { backendId, ipId: entry.id };
    const same = { ip: "203.0.113.7", port: 4_008 };
    expect((await send(calls.updateBackendServer, ids, same)).statusCode).toBe(200);
    const taken = await send(calls.updateBackendServer, ids, { ...same, port: 4_007 });
    expect(codeOf(taken)).toEqual([422, "backend_exists"]);
    const { backend } = await create();
    await addServer(backend.id, "203.0.113.7", 4_007);
  });

  test("are as many as a configuration can hold", async () => {
    const { id: backendId } = await defaultGroup();
    const { db } = testApp.platform;
    const rows = Array.from({ length: groupServersMax - 2 }, (_, index) => ({
      id: crypto.randomUUID(),
      group_id: backendId,
      host: "203.0.113.7",
      port: index + 1,
      created_at: testApp.clock.now(),
    }));
    await db.insertInto("backends").values(rows).execute();
    await addServer(backendId, "203.0.113.8");
    const body = { ip: "203.0.113.9", port: 4_001 };
    const full = await send(calls.addBackendServer, { backendId }, body);
    expect(codeOf(full)).toEqual([422, "group_full"]);
    expect((await compiled()).groups[0]?.backends).toHaveLength(groupServersMax);
  });

  test("have no port of another service, neither a new one nor a changed one", async () => {
    const { id: backendId, ips } = await defaultGroup();
    const params = { id: shieldId, backendId };
    const token = owner.token;
    for (const port of [22, 587, 3_306]) {
      const body = { ip: "8.8.4.4", port };
      const added = await call(testApp, calls.addBackendServer, { token, params, body });
      expect(added.json().issues).toMatchObject([{ path: "port", code: "real_port.refused" }]);
      const changed = await call(testApp, calls.updateBackendServer, {
        token,
        params: { ...params, ipId: ips[0]?.id ?? "" },
        body,
      });
      expect(changed.json().issues).toMatchObject([{ path: "port", code: "real_port.refused" }]);
    }
    expect((await defaultGroup()).ips).toEqual(ips);
  });

  test("are public ones outside development: neither inside a network nor our own edges", async () => {
    const production = await createTestApp({
      sharing: testApp,
      config: { development: false, privateBackends: ["10.9.0.0/16"] },
    });
    const { id: backendId } = await defaultGroup();
    const add = (ip: string) =>
      call(production, calls.addBackendServer, {
        token: owner.token,
        params: { id: shieldId, backendId },
        body: { ip, port: 25_565 },
      });
    for (const ip of ["10.0.0.1", "169.254.169.254", "::1", "::ffff:10.0.0.1", "db.internal"]) {
      const answer = await add(ip);
      expect(answer.json().issues, ip).toMatchObject([{ path: "ip", code: "real_ip.private" }]);
    }
    expect((await add("10.9.1.1")).statusCode).toBe(201);
    await production.close();
  });
});
