import { configSchemaVersion, shieldConfig } from "@palisade/contract/edge/shield-config";
import { listEntriesMax } from "@palisade/contract/http/firewall-entry";
import { routes } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { eachTestHasAShield } from "#src/test-support/shield-of-each-test.ts";
import { createShield } from "#src/test-support/test-shields.ts";
import type { TestApp } from "#src/test-support/test-app.ts";
import { call, createUser, expectStatus, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let owner: TestUser;
let shieldId: string;

eachTestHasAShield((current) => {
  ({ testApp, owner, shieldId } = current);
});

const hourMs = 3_600_000;

function inHours(hours: number): string {
  return new Date(testApp.clock.now().getTime() + hours * hourMs).toISOString();
}

function add(body: Readonly<Record<string, unknown>>) {
  return call(testApp, routes.firewall.addFirewallEntry, {
    token: owner.token,
    params: { id: shieldId },
    body: { type: "blacklist", ...body },
  });
}

async function added(body: Readonly<Record<string, unknown>>) {
  const answer = await expectStatus(add(body), 201);
  return routes.firewall.addFirewallEntry.response.parse(answer.json()).entry;
}

function change(ipId: string, body: Readonly<Record<string, unknown>>, user = owner) {
  return call(testApp, routes.firewall.updateFirewallEntry, {
    token: user.token,
    params: { id: shieldId, ipId },
    body,
  });
}

async function put(body: Readonly<Record<string, unknown>>) {
  const answer = await expectStatus(
    call(testApp, routes.firewall.importFirewall, {
      token: owner.token,
      params: { id: shieldId },
      body: { type: "blacklist", mode: "merge", ...body },
    }),
    200,
  );
  return routes.firewall.importFirewall.response.parse(answer.json()).report;
}

async function blacklist() {
  const answer = await call(testApp, routes.firewall.getFirewall, {
    token: owner.token,
    params: { id: shieldId },
  });
  return routes.firewall.getFirewall.response.parse(answer.json()).blacklist_ips;
}

/** As `entry | note | hours until its end`. */
async function listed(): Promise<string[]> {
  const now = testApp.clock.now().getTime();
  return (await blacklist()).map(({ ip, note, expires_at: end }) =>
    [ip, note, end === null ? "-" : (Date.parse(end) - now) / hourMs].join(" | "),
  );
}

async function exported(): Promise<string> {
  const answer = await call(testApp, routes.firewall.exportFirewall, {
    token: owner.token,
    params: { id: shieldId },
    query: { type: "blacklist" },
  });
  return answer.body;
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

const endJob = () => testApp.runJob("firewall.ends");

describe("an entry has a note and an end", () => {
  test("when it is added; edges get its end", async () => {
    const expires_at = inHours(2);
    const entry = await added({ ip: "192.0.2.1", note: " two\tlines ", expires_at });
    expect(entry).toMatchObject({ note: "two lines", expires_at });
    await added({ ip: "Griefer_1", expires_at });
    expect((await compiled()).lists).toMatchObject({
      blacklist: ["192.0.2.1"],
      blacklist_names: ["griefer_1"],
      expires: {
        "b 192.0.2.1": Date.parse(expires_at),
        "b griefer_1": Date.parse(expires_at),
      },
    });
    expect(await added({ ip: "192.0.2.2" })).toMatchObject({ note: "", expires_at: null });
  });

  test("and another one later; what is left out stays", async () => {
    const { id } = await added({ ip: "192.0.2.1", note: "first", expires_at: inHours(2) });
    await expectStatus(change(id, { note: "second" }), 200);
    expect(await listed()).toEqual(["192.0.2.1 | second | 2"]);
    await expectStatus(change(id, { expires_at: null }), 200);
    expect(await listed()).toEqual(["192.0.2.1 | second | -"]);
    expect((await compiled()).lists.expires).toEqual({});
    const answer = await expectStatus(change(id, { expires_at: inHours(3), note: "" }), 200);
    expect(answer.json()).toMatchObject({ message: "Entry 192.0.2.1 changed", revision: 5 });
    expect(await listed()).toEqual(["192.0.2.1 |  | 3"]);
  });

  test.each([
    ["a note that is too long", { note: "x".repeat(201) }, "note"],
    ["an end that has passed", { expires_at: "2020-01-01T00:00:00Z" }, "expires_at"],
    ["an end that is too far away", { expires_at: "2099-01-01T00:00:00Z" }, "expires_at"],
    ["an end that is none", { expires_at: "tomorrow" }, "expires_at"],
  ])("with %s it is refused, new or old", async (_, body, path) => {
    const { id } = await added({ ip: "192.0.2.1" });
    for (const answer of [await add({ ip: "192.0.2.2", ...body }), await change(id, body)]) {
      expect(answer.statusCode).toBe(422);
      expect(answer.json().issues[0]).toMatchObject({ path });
    }
    expect(await listed()).toEqual(["192.0.2.1 |  | -"]);
  });

  test("that only people of the shield may change", async () => {
    const { id } = await added({ ip: "192.0.2.1" });
    const other = await createUser(testApp);
    expect((await change(id, { note: "x" }, other)).statusCode).toBe(404);
    shieldId = (await createShield(testApp, other)).id;
    expect((await change(id, { note: "x" }, other)).statusCode).toBe(404);
  });
});

describe("an entry whose end has passed", () => {
  test("is out of the configuration within a minute, shown for a day, then gone", async () => {
    await added({ ip: "192.0.2.1", expires_at: inHours(1) });
    await added({ ip: "Griefer_1", expires_at: inHours(2) });
    await added({ ip: "192.0.2.2" });
    const { revision } = await compiled();
    await endJob();
    expect((await compiled()).revision).toBe(revision);
    testApp.clock.advance(hourMs);
    await endJob();
    const after = await compiled();
    expect(after.revision).toBe(revision + 1);
    expect(after.lists).toMatchObject({ blacklist: ["192.0.2.2"], blacklist_names: ["griefer_1"] });
    expect(Object.keys(after.lists.expires)).toEqual(["b griefer_1"]);
    expect(await listed()).toContain("192.0.2.1 |  | 0");
    expect(await exported()).not.toContain("192.0.2.1");
    testApp.clock.advance(24 * hourMs);
    await endJob();
    expect((await blacklist()).map(({ ip }) => ip).toSorted()).toEqual(["192.0.2.2", "Griefer_1"]);
    testApp.clock.advance(hourMs);
    await endJob();
    expect((await blacklist()).map(({ ip }) => ip)).toEqual(["192.0.2.2"]);
    expect((await compiled()).lists.blacklist_names).toEqual([]);
    const history = await call(testApp, routes.history.listHistory, {
      token: owner.token,
      params: { id: shieldId },
    });
    expect(history.json().data[0]).toMatchObject({
      author: { kind: "system" },
      changes: expect.arrayContaining([
        expect.objectContaining({ field: "blacklist", removed: ["Griefer_1"] }),
      ]),
    });
  });

  test("is in force again with a new end, and a new note alone does not bring it back", async () => {
    const { id } = await added({ ip: "192.0.2.1", expires_at: inHours(1) });
    testApp.clock.advance(hourMs);
    await endJob();
    await expectStatus(change(id, { note: "over" }), 200);
    expect((await compiled()).lists.blacklist).toEqual([]);
    await expectStatus(change(id, { expires_at: inHours(1) }), 200);
    expect((await compiled()).lists.blacklist).toEqual(["192.0.2.1"]);
    expect(await listed()).toEqual(["192.0.2.1 | over | 1"]);
  });

  test("gives way to a new one, and takes no place in the list", async () => {
    await added({ ip: "192.0.2.1", note: "old", expires_at: inHours(1) });
    await sql`
      insert into firewall_entries (id, shield_id, list, address, created_at)
      select gen_random_uuid(), ${shieldId}, 'blacklist', '10.0.' || (n / 256) || '.' || (n % 256),
        ${testApp.clock.now()}
      from generate_series(1, ${listEntriesMax - 1}) n
    `.execute(testApp.platform.db);
    expect((await add({ ip: "192.0.2.2" })).json().code).toBe("list_full");
    testApp.clock.advance(hourMs);
    expect(await added({ ip: "192.0.2.1" })).toMatchObject({ note: "", expires_at: null });
    expect((await add({ ip: "192.0.2.2" })).json().code).toBe("list_full");
  });

  test("an ended one of a shield that is not active is out of it once it is active again", async () => {
    await added({ ip: "192.0.2.1", expires_at: inHours(1) });
    const setStatus = (status: "blocked" | "active") =>
      testApp.platform.db
        .updateTable("shields")
        .set({ status })
        .where("id", "=", shieldId)
        .execute();
    await setStatus("blocked");
    testApp.clock.advance(hourMs);
    await endJob();
    await setStatus("active");
    await added({ ip: "192.0.2.2" });
    expect((await compiled()).lists.blacklist).toEqual(["192.0.2.2"]);
  });

  test("does not let the caller in any more", async () => {
    await added({ type: "whitelist", ip: "127.0.0.1", expires_at: inHours(1) });
    const read = async () => {
      const params = { id: shieldId };
      const answer = await call(testApp, routes.firewall.getFirewall, {
        token: owner.token,
        params,
      });
      return answer.json().caller.whitelisted as boolean;
    };
    expect(await read()).toBe(true);
    testApp.clock.advance(hourMs);
    expect(await read()).toBe(false);
  });
});

describe("imports", () => {
  test("bring notes and ends, and leave alone what they say nothing about", async () => {
    await added({ ip: "192.0.2.1", note: "mine", expires_at: inHours(5) });
    const text = `entry,note,expires\n192.0.2.1,,\n192.0.2.2,"a, b",${inHours(1)}\nSteve,,never\n192.0.2.3,,2020-01-01\n192.0.2.4,,soon\n192.0.2.5,,2099-01-01`;
    expect(await put({ text })).toMatchObject({
      added: 2,
      existing: 1,
      changed: 0,
      skipped: 1,
      invalid: 2,
      invalid_entries: [
        { line: 6, text: "192.0.2.4" },
        { line: 7, text: "192.0.2.5" },
      ],
    });
    expect((await listed()).toSorted()).toEqual([
      "192.0.2.1 | mine | 5",
      "192.0.2.2 | a, b | 1",
      "Steve |  | -",
    ]);
    expect(await put({ text: "192.0.2.1 # theirs\nSTEVE # him" })).toMatchObject({
      added: 0,
      existing: 2,
      changed: 2,
    });
    expect((await listed()).toSorted()).toEqual([
      "192.0.2.1 | theirs | 5",
      "192.0.2.2 | a, b | 1",
      "Steve | him | -",
    ]);
  });

  test("those of an export change nothing, and put a list back as it was", async () => {
    await added({ ip: "192.0.2.1", note: '=1+1, "x" #2', expires_at: inHours(5) });
    await added({ ip: "Al", note: "short" });
    const before = await listed();
    const text = await exported();
    expect(await put({ mode: "replace", text })).toMatchObject({
      added: 0,
      changed: 0,
      removed: 0,
    });
    const entries = (await blacklist()).map(({ ip, note, expires_at }) => ({
      ip,
      note,
      expires_at,
    }));
    await put({ mode: "replace", text: "192.0.2.9" });
    await put({ mode: "replace", text });
    expect((await listed()).toSorted()).toEqual(before.toSorted());
    await put({ mode: "replace", text: "192.0.2.1 # other" });
    expect(await put({ mode: "replace", entries })).toMatchObject({ added: 1, changed: 1 });
    expect((await listed()).toSorted()).toEqual(before.toSorted());
  });

  test("skip rules that are for the other list", async () => {
    const text = JSON.stringify([
      { id: 1, cidr: "192.0.2.0/24", whitelist: false },
      { id: 2, cidr: "198.51.100.0/24", whitelist: true },
    ]);
    expect(await put({ text })).toMatchObject({ added: 1, skipped: 1, invalid: 0 });
    expect(await listed()).toEqual(["192.0.2.0/24 |  | -"]);
  });
});

test("an earlier version of the settings brings notes and ends back, but nothing that has ended", async () => {
  await added({ ip: "192.0.2.1", note: "a b", expires_at: inHours(5) });
  await added({ ip: "192.0.2.2", expires_at: inHours(1) });
  await added({ ip: "Steve", note: "him" });
  const history = async () =>
    call(testApp, routes.history.listHistory, { token: owner.token, params: { id: shieldId } });
  const entryId = (await history()).json().data[0].id as string;
  await put({ mode: "replace", text: "192.0.2.1 # other" });
  expect((await history()).json().data[0].changes).toContainEqual(
    expect.objectContaining({
      field: "blacklist_notes",
      added: ["192.0.2.1 other"],
      removed: expect.arrayContaining(["192.0.2.1 a b", "Steve him"]),
    }),
  );
  testApp.clock.advance(2 * hourMs);
  const answer = await call(testApp, routes.history.restoreHistory, {
    token: owner.token,
    params: { id: shieldId, entryId },
    body: {},
  });
  expect(answer.json()).toMatchObject({ restored: ["firewall"], left_out: [] });
  expect((await listed()).toSorted()).toEqual(["192.0.2.1 | a b | 3", "Steve | him | -"]);
});
