import { listEntriesMax } from "@palisade/contract/http/firewall-entry";
import { configSchemaVersion, shieldConfig } from "@palisade/contract/edge/shield-config";
import { routes } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createShield, enrolEdge } from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let owner: TestUser;
let shieldId: string;

beforeAll(async () => {
  testApp = await createTestApp();
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
});
afterAll(() => testApp.close());
beforeEach(async () => {
  owner = await createUser(testApp);
  shieldId = (await createShield(testApp, owner)).id;
});

function get() {
  return call(testApp, routes.firewall.getFirewall, {
    token: owner.token,
    params: { id: shieldId },
  });
}

function add(ip: unknown, type: unknown = "blacklist") {
  return call(testApp, routes.firewall.addFirewallEntry, {
    token: owner.token,
    params: { id: shieldId },
    body: { ip, type },
  });
}

function update(body: unknown, headers: Record<string, string> = {}) {
  return call(testApp, routes.firewall.updateFirewall, {
    token: owner.token,
    params: { id: shieldId },
    body,
    headers,
  });
}

async function compiled() {
  const row = await testApp.platform.db
    .selectFrom("shield_configs")
    .where("schema", "=", configSchemaVersion)
    .select("config")
    .where("shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
  return shieldConfig.parse(JSON.parse(row.config));
}

/** Fills the list up to `count` entries in one statement. */
async function fill(count: number) {
  await sql`
    insert into firewall_entries (id, shield_id, list, address, created_at)
    select gen_random_uuid(), ${shieldId}, 'blacklist', '10.' || (n / 65536) || '.'
      || (n / 256 % 256) || '.' || (n % 256), ${testApp.clock.now()}
    from generate_series(1, ${count}) n
  `.execute(testApp.platform.db);
}

describe("reading again with If-None-Match", () => {
  const getWith = (tag: string) =>
    call(testApp, routes.firewall.getFirewall, {
      token: owner.token,
      params: { id: shieldId },
      headers: { "if-none-match": tag },
    });

  test("is answered 304 without a body until an entry or a switch changes", async () => {
    const tag = String((await get()).headers["etag"]);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const same = await getWith(known);
      expect([same.statusCode, same.body, same.headers["etag"]]).toEqual([304, "", tag]);
    }
    expect((await getWith('"other"')).statusCode).toBe(200);
    await add("192.0.2.77");
    const changed = await getWith(tag);
    expect(changed.statusCode).toBe(200);
    expect(changed.headers["etag"]).not.toBe(tag);
  });

  test("the tag of an answer is good for If-Match", async () => {
    const tag = String((await get()).headers["etag"]);
    await add("192.0.2.78");
    expect((await update({ whitelist_only: true }, { "if-match": tag })).statusCode).toBe(412);
    const fresh = String((await get()).headers["etag"]);
    expect((await update({ whitelist_only: true }, { "if-match": fresh })).statusCode).toBe(200);
  });
});

describe("firewall", () => {
  test("starts with both lists on and empty", async () => {
    expect((await get()).json()).toEqual({
      ip_blacklist_enabled: true,
      ip_whitelist_enabled: true,
      whitelist_only: false,
      blacklist_ips: [],
      whitelist_ips: [],
      caller: { ip: "127.0.0.1", whitelisted: false },
    });
  });

  test("says whether maintenance would keep the caller out, by address and by range", async () => {
    for (const [ip, whitelisted] of [
      ["127.0.0.2", false],
      ["127.0.0.0/8", true],
    ] as const) {
      await add(ip, "whitelist");
      expect((await get()).json().caller).toEqual({ ip: "127.0.0.1", whitelisted });
    }
  });

  test("a switch that changed is locked for 5 s, for everybody and alone", async () => {
    expect((await update({ whitelist_only: true })).statusCode).toBe(200);
    testApp.clock.advance(4_000);
    const early = await update({ whitelist_only: false });
    expect([early.statusCode, early.json().code]).toEqual([429, "rate_limited"]);
    expect(early.headers["retry-after"]).toBe("1");
    expect((await compiled()).lists.whitelist_only).toBe(true);
    // As it is already, and another one: neither is a change of the locked switch.
    for (const body of [{ whitelist_only: true }, { ip_blacklist_enabled: false }]) {
      expect((await update(body)).statusCode).toBe(200);
    }
    testApp.clock.advance(1_000);
    expect((await update({ whitelist_only: false })).statusCode).toBe(200);
    expect((await compiled()).lists).toMatchObject({
      whitelist_only: false,
      blacklist_enabled: false,
    });
  });

  test("an entry is on the list, in the configuration and followed by its revision", async () => {
    const answer = await add("2001:DB8::0:1");
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({
      message: "IP 2001:db8::1 added successfully",
      revision: 2,
      entry: { ip: "2001:db8::1", kind: "address" },
    });
    expect((await compiled()).lists.blacklist).toEqual(["2001:db8::1"]);
    expect((await compiled()).revision).toBe(2);
  });

  test("the newest entry comes first; lists are apart", async () => {
    for (const ip of ["1.1.1.1", "1.1.1.2", "1.1.1.3"]) {
      expect((await add(ip)).statusCode).toBe(201);
      testApp.clock.advance(1);
    }
    await add("9.9.9.9", "whitelist");
    const firewall = routes.firewall.getFirewall.response.parse((await get()).json());
    expect(firewall.blacklist_ips.map(({ ip }) => ip)).toEqual(["1.1.1.3", "1.1.1.2", "1.1.1.1"]);
    expect(firewall.whitelist_ips.map(({ ip }) => ip)).toEqual(["9.9.9.9"]);
  });

  test("an address is on a list once, however it is written; on the other list it may be too", async () => {
    await add("1.2.3.4");
    for (const ip of ["1.2.3.4", "1.2.3.4/32", "::ffff:1.2.3.4"]) {
      const answer = await add(ip);
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toMatchObject({ code: "entry_exists", issues: [{ path: "ip" }] });
    }
    expect((await add("1.2.3.4", "whitelist")).statusCode).toBe(201);
    expect((await compiled()).revision).toBe(3);
  });

  test.each([
    ["", "blacklist", "ip"],
    ["1.2.3", "blacklist", "ip"],
    ["010.1.1.1", "blacklist", "ip"],
    ["1.2.3.4/33", "blacklist", "ip"],
    ["host.example", "blacklist", "ip"],
    ["a-b", "blacklist", "ip"],
    ["a".repeat(17), "blacklist", "ip"],
    ["two words", "blacklist", "ip"],
    [null, "blacklist", "ip"],
    ["1.2.3.4", "greylist", "type"],
  ])("%j on %s is refused at %s and changes nothing", async (ip, type, path) => {
    const answer = await add(ip, type);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().issues[0]).toMatchObject({ path });
    expect((await compiled()).revision).toBe(1);
  });

  test("a name is listed as it was typed, once without regard to case, and compared in lower case", async () => {
    const answer = await add("Griefer_1");
    expect(answer.json()).toMatchObject({
      message: "Player Griefer_1 added successfully",
      entry: { ip: "Griefer_1", kind: "name" },
    });
    const again = await add("gRIEFER_1");
    expect([again.statusCode, again.json().code]).toEqual([422, "entry_exists"]);
    testApp.clock.advance(1);
    await add("192.0.2.9");
    expect((await add("Griefer_1", "whitelist")).statusCode).toBe(201);
    const { blacklist_ips: shown } = routes.firewall.getFirewall.response.parse(
      (await get()).json(),
    );
    expect(shown.map(({ ip, kind }) => `${kind} ${ip}`)).toEqual([
      "address 192.0.2.9",
      "name Griefer_1",
    ]);
    expect((await compiled()).lists).toMatchObject({
      blacklist: ["192.0.2.9"],
      blacklist_names: ["griefer_1"],
      whitelist_names: ["griefer_1"],
    });
    const removed = await call(testApp, routes.firewall.removeFirewallEntry, {
      token: owner.token,
      params: { id: shieldId, ipId: shown[1]?.id ?? "" },
    });
    expect(removed.json().message).toBe("Player Griefer_1 removed successfully");
    expect((await compiled()).lists.blacklist_names).toEqual([]);
  });

  test("removing takes it off list and configuration; a foreign or unknown entry is 404", async () => {
    const { entry } = routes.firewall.addFirewallEntry.response.parse(
      (await add("1.2.3.4")).json(),
    );
    const other = await createUser(testApp);
    const otherShield = await createShield(testApp, other);
    const remove = (token: string, id: string, ipId: string) =>
      call(testApp, routes.firewall.removeFirewallEntry, { token, params: { id, ipId } });
    expect((await remove(other.token, otherShield.id, entry.id)).statusCode).toBe(404);
    expect((await compiled()).lists.blacklist).toEqual(["1.2.3.4"]);
    const answer = await remove(owner.token, shieldId, entry.id);
    expect(answer.json()).toEqual({ message: "IP 1.2.3.4 removed successfully", revision: 3 });
    expect((await compiled()).lists.blacklist).toEqual([]);
    expect((await remove(owner.token, shieldId, entry.id)).statusCode).toBe(404);
  });

  test("switches change alone and carry an ETag that refuses a stale write", async () => {
    const { etag } = (await get()).headers;
    const first = await update({ whitelist_only: true }, { "if-match": String(etag) });
    expect(first.statusCode).toBe(200);
    expect(first.json()).toMatchObject({
      revision: 2,
      firewall: { whitelist_only: true, ip_blacklist_enabled: true },
    });
    expect(first.headers.etag).toBe((await get()).headers.etag);
    const stale = await update({ ip_blacklist_enabled: false }, { "if-match": String(etag) });
    expect([stale.statusCode, stale.json().code]).toEqual([412, "precondition_failed"]);
    expect((await compiled()).lists).toMatchObject({
      whitelist_only: true,
      blacklist_enabled: true,
    });
    expect((await update({ ip_blacklist_enabled: false })).statusCode).toBe(200);
    expect((await compiled()).lists.blacklist_enabled).toBe(false);
  });

  test("turning a list on says nothing of the lists; reading them has a limit by user", async () => {
    await add("1.2.3.4");
    expect((await update({ whitelist_only: true })).json().firewall).toEqual({
      ip_blacklist_enabled: true,
      ip_whitelist_enabled: true,
      whitelist_only: true,
      caller: { ip: "127.0.0.1", whitelisted: false },
    });
    const codes = new Set<number>();
    for (let n = 0; n < 60; n += 1) codes.add((await get()).statusCode);
    expect([...codes]).toEqual([200]);
    const refused = await get();
    expect([refused.statusCode, refused.json().code]).toEqual([429, "rate_limited"]);
  });

  test("one is refused when two writes start from the same state, also in parallel", async () => {
    const { etag } = (await get()).headers;
    const answers = await Promise.all(
      [{ whitelist_only: true }, { ip_whitelist_enabled: false }].map((body) =>
        update(body, { "if-match": String(etag) }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([200, 412]);
  });

  test("an entry changes the ETag too", async () => {
    const { etag } = (await get()).headers;
    const added = await add("1.2.3.4");
    expect(added.headers.etag).not.toBe(etag);
    expect(added.headers.etag).toBe((await get()).headers.etag);
  });

  test("a list is full at its cap, also for two who come for the last place", async () => {
    await fill(listEntriesMax - 1);
    const answers = await Promise.all([add("192.0.2.1"), add("Steve"), add("192.0.2.3")]);
    expect(answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([
      201, 422, 422,
    ]);
    expect(answers.map((answer) => answer.json().code)).toContain("list_full");
    const { lists } = await compiled();
    expect(lists.blacklist.length + lists.blacklist_names.length).toBe(listEntriesMax);
  });

  test("a shield that is not active keeps its firewall: 409", async () => {
    await testApp.platform.db
      .updateTable("shields")
      .set({ status: "blocked" })
      .where("id", "=", shieldId)
      .execute();
    for (const answer of [await add("1.2.3.4"), await update({ whitelist_only: true })]) {
      expect([answer.statusCode, answer.json().code]).toEqual([409, "server_not_active"]);
    }
    expect((await get()).statusCode).toBe(200);
  });
});
