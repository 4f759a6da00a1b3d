import { configSchemaVersion, shieldConfig } from "@palisade/contract/edge/shield-config";
import { toSchema6 } from "@palisade/contract/edge/earlier-shield-config";
import { routes } from "@palisade/contract/http/routes";
import type { Server } from "@palisade/contract/http/servers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runCommandLine } from "#src/test-support/command-line.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createShield, enrolEdge, type TestEdge } from "#src/test-support/test-shields.ts";
import { openTestStream, type TestStream } from "#src/test-support/test-stream.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let edge: TestEdge;
let owner: TestUser;
let shield: Server;
let stream: TestStream;
let serial = 0;

beforeAll(async () => {
  testApp = await createTestApp();
  edge = await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
  owner = await createUser(testApp);
  stream = await openTestStream(testApp, edge, { schema: configSchemaVersion });
  await stream.next("snapshot_end");
});
afterAll(async () => {
  stream?.close();
  await testApp?.close();
});
beforeEach(async () => {
  shield = await createShield(testApp, owner, { domain: `back${++serial}.example.com` });
  await told();
});

const palisade = (...words: readonly string[]) =>
  runCommandLine(testApp, ["shield", "rollback", ...words]);

async function block(ip: string): Promise<void> {
  const answer = await call(testApp, routes.firewall.addFirewallEntry, {
    token: owner.token,
    params: { id: shield.id },
    body: { type: "blacklist", ip },
  });
  expect(answer.statusCode).toBe(201);
}

async function wantNoForge(): Promise<void> {
  const answer = await call(testApp, routes.mitigation.updateMitigation, {
    token: owner.token,
    params: { id: shield.id },
    body: { anti_forge: true },
  });
  expect(answer.statusCode).toBe(200);
}

/** The next configuration of this shield on the real stream. */
async function told() {
  const { version, shields } = await stream.next("delta");
  const [record] = shields;
  return { version, revision: record?.revision, config: shieldConfig.parse(record?.config) };
}

describe("rollback is a new version with old content", () => {
  test("edges are told it as a revision and a version they have not had", async () => {
    await block("203.0.113.1");
    const second = await told();
    await block("203.0.113.2");
    const third = await told();
    await wantNoForge();
    const fourth = await told();
    expect(fourth.config.mitigation).toEqual({ ...second.config.mitigation, anti_forge: true });
    const { stdout } = await palisade(shield.cname_record, "2");
    expect(stdout).toContain(`serves the content of revision 2 again, as revision 5`);
    expect(stdout).toContain("the next change in the console replaces this");
    const fifth = await told();
    const all = [second, third, fourth, fifth];
    expect(all.map(({ revision }) => revision)).toEqual([2, 3, 4, 5]);
    expect(fifth.version).toBeGreaterThan(fourth.version);
    expect(fifth.config).toEqual({ ...second.config, revision: 5 });
    const rows = await testApp.platform.db
      .selectFrom("audit_log")
      .select(["method", "chain", "actor_kind"])
      .where("endpoint", "=", `shield rollback ${shield.cname_record} 2`)
      .execute();
    expect(rows).toEqual([{ method: "CLI", chain: `user:${owner.id}`, actor_kind: "system" }]);

    await block("203.0.113.3");
    const sixth = await told();
    expect(sixth.revision).toBe(6);
    expect(sixth.config.lists.blacklist).toEqual(["203.0.113.3", "203.0.113.2", "203.0.113.1"]);
    expect(sixth.config.mitigation.anti_forge).toBe(true);
  });

  test("settings that version 2 did not have stay as they are today: the challenge of players", async () => {
    const { db } = testApp.platform;
    await block("203.0.113.1");
    const before = await told();
    const messages = { ...before.config.messages, blacklist: "Then" };
    const {
      mitigation: _mitigation,
      shares: _shares,
      bedrock: _bedrock,
      lists,
      ...rest
    } = toSchema6(before.config);
    const { blacklist_names: _blocked, whitelist_names: _allowed, ...addresses } = lists;
    const groups = rest.groups.map((group) => ({
      ...group,
      backends: group.backends.map(({ id, host, port }) => ({ id, host, port })),
    }));
    await db
      .updateTable("shield_revisions")
      .set({ config: JSON.stringify({ ...rest, lists: addresses, groups, schema: 2, messages }) })
      .where("shield_id", "=", shield.id)
      .where("revision", "=", 2)
      .execute();
    await block("203.0.113.2");
    await told();
    await wantNoForge();
    const today = await told();
    expect(today.config.mitigation.anti_forge).toBe(true);
    expect((await palisade(shield.cname_record, "2")).code).toBe(0);
    expect((await told()).config).toEqual({
      ...today.config,
      revision: 5,
      lists: before.config.lists,
      messages: { ...today.config.messages, blacklist: "Then" },
    });
  });

  test("settings that the plan has no more do not come back with an earlier revision", async () => {
    const { db } = testApp.platform;
    await block("203.0.113.1");
    const { config } = await told();
    const mitigation = { ...config.mitigation, antibot: "extreme" as const, anti_vpn: true };
    await db
      .updateTable("shield_revisions")
      .set({ config: JSON.stringify({ ...config, mitigation }) })
      .where("shield_id", "=", shield.id)
      .where("revision", "=", 2)
      .execute();
    expect((await palisade(shield.cname_record, "2")).code).toBe(0);
    expect((await told()).config.mitigation).toMatchObject({ antibot: "medium", anti_vpn: false });
  });

  test("without a revision it lists those kept, also by the bare label", async () => {
    await block("203.0.113.1");
    await told();
    const { stdout } = await palisade(shield.cname_record.split(".")[0] ?? "");
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => line.trim().split(/\s+/)[0]),
    ).toEqual(["2", "1"]);
  });

  test("the status and the names stay as they are today: blocked, and without names that others proved", async () => {
    const { db } = testApp.platform;
    await block("203.0.113.1");
    const before = await told();
    expect(before.config.domains).toHaveLength(1);
    await db
      .updateTable("shield_domains")
      .set({ expired_at: testApp.clock.now() })
      .where("shield_id", "=", shield.id)
      .execute();
    await db
      .updateTable("shields")
      .set({ status: "blocked" })
      .where("id", "=", shield.id)
      .execute();
    const { stdout } = await palisade(shield.cname_record, "2");
    expect(stdout).toContain(`Left out, as it is not the shield's: domain ${shield.domain}`);
    const after = await told();
    expect(after.config).toMatchObject({ status: "blocked", domains: [], revision: 3 });
    expect(after.config.lists.blacklist).toEqual(["203.0.113.1"]);
  });

  test("says what is wrong: no such shield, no such revision, a deleted shield, no number", async () => {
    const fails = async (words: string[], code: number, text: string) =>
      expect(await palisade(...words)).toMatchObject({
        code,
        stderr: expect.stringContaining(text),
      });
    await fails(["unknown", "1"], 1, "There is no shield unknown");
    await fails([shield.cname_record, "99"], 1, "no revision 99");
    await fails([shield.cname_record, "1e3"], 2, "give the number of a revision");
    const params = { id: shield.id };
    await call(testApp, routes.serverLife.deleteServer, {
      token: owner.token,
      params,
      body: { server_name: shield.server_name },
    });
    await stream.next("delta");
    await fails([shield.cname_record, "1"], 1, "is deleted");
  });
});
