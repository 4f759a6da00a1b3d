import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Server } from "@palisade/contract/http/servers";
import { routes } from "@palisade/contract/http/routes";
import { runCommandLine } from "#src/test-support/command-line.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { freshDomain } from "#src/test-support/test-domains.ts";
import { stopSchedules } from "#src/test-support/test-renewals.ts";
import { createShield, enrolEdge } from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let owner: TestUser;
let shield: Server;
beforeAll(async () => {
  testApp = await createTestApp();
  // Commands go by the real time, which is years before the api's: its job would end what they begin.
  await stopSchedules(testApp);
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  owner = await createUser(testApp);
  shield = await createShield(testApp, owner, { domain: freshDomain() });
});

const palisade = (...args: readonly string[]) => runCommandLine(testApp, ["shield", ...args]);

async function overview() {
  const answer = await call(testApp, routes.servers.getOverview, {
    token: owner.token,
    params: { id: shield.id },
  });
  return routes.servers.getOverview.response.parse(answer.json());
}

/** The status in the newest configuration. */
async function compiledStatus(): Promise<string> {
  const { config } = await testApp.platform.db
    .selectFrom("shield_revisions")
    .select("config")
    .where("shield_id", "=", shield.id)
    .orderBy("revision", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  return JSON.parse(config).status;
}

describe("shield block and unblock", () => {
  test("stop and free a shield, with the reason for the owner, history and audit log", async () => {
    const label = shield.cname_record;
    expect(await palisade("block", label, "--reason", "Phishing")).toEqual({
      code: 0,
      stdout: `${label} is blocked now\n`,
      stderr: "",
    });
    expect(await overview()).toMatchObject({ status: "blocked", blocked_reason: "Phishing" });
    expect(await compiledStatus()).toBe("blocked");
    expect((await palisade("block", label, "--reason", "Again")).stdout).toContain("already");
    await palisade("unblock", label, "--reason", "Cleared up");
    expect(await overview()).toMatchObject({ status: "active", blocked_reason: null });
    expect(await compiledStatus()).toBe("active");
    const { db } = testApp.platform;
    const rows = await db
      .selectFrom("audit_log")
      .select("endpoint")
      .where("chain", "=", `user:${owner.id}`)
      .where("method", "=", "CLI")
      .orderBy("seq")
      .execute();
    expect(rows.map(({ endpoint }) => endpoint)).toEqual([
      `shield block ${label}`,
      `shield unblock ${label}`,
    ]);
    const changes = await db
      .selectFrom("shield_changes")
      .select(["author_kind", "changes"])
      .where("shield_id", "=", shield.id)
      .where("area", "=", "plan")
      .orderBy("position")
      .execute();
    expect(changes.map(({ author_kind }) => author_kind)).toEqual(["operator", "operator"]);
    expect(changes[0]?.changes).toContain("Phishing");
    expect(changes[1]?.changes).toContain("Cleared up");
  });

  test.each([
    [["block", "nowhere.gs.localhost", "--reason", "x"], 1, "There is no shield"],
    [["block", "nowhere.gs.localhost"], 2, "--reason"],
    [["block", "--reason", "x"], 2, "Give the CNAME target"],
    [["plan", "nowhere.gs.localhost", "gold", "--reason", "x"], 1, "There is no plan gold"],
  ])("%j is refused", async (args, code, text) => {
    const answer = await palisade(...args);
    expect(answer.code).toBe(code);
    expect(answer.stderr).toContain(text);
  });
});

describe("shield plan", () => {
  test("puts a shield on a plan without a charge; back on the free plan nothing ends", async () => {
    const label = shield.cname_record;
    const answer = await palisade("plan", label, "pro", "--reason", "Sponsored");
    expect(answer).toEqual({ code: 0, stdout: `${label} is on the plan pro\n`, stderr: "" });
    expect(await overview()).toMatchObject({ pricing_plan: { name: "Pro" } });
    expect((await overview()).expires_at).not.toBeNull();
    expect(await testApp.platform.db.selectFrom("ledger_txns").selectAll().execute()).toEqual([]);
    await palisade("plan", label, "free", "--reason", "Ended");
    expect(await overview()).toMatchObject({ pricing_plan: { name: "Free" }, expires_at: null });
  });
});
