import { configSchemaVersion, shieldConfig } from "@palisade/contract/edge/shield-config";
import { tryHours } from "@palisade/contract/http/mitigation";
import { routes } from "@palisade/contract/http/routes";
import { describe, expect, test } from "vitest";
import { eachTestHasAShield } from "#src/test-support/shield-of-each-test.ts";
import type { TestApp } from "#src/test-support/test-app.ts";
import { createShield } from "#src/test-support/test-shields.ts";
import { call, type TestUser } from "#src/test-support/test-users.ts";
import { selectSnapshotPage } from "#src/features/configuration/config-stream.repository.ts";

let testApp: TestApp;
let owner: TestUser;
let shieldId: string;

eachTestHasAShield((current) => {
  ({ testApp, owner, shieldId } = current);
});

const { getTryAddress, startTry, endTry } = routes.mitigation;
const hourMs = 3_600_000;

const read = async (id = shieldId) =>
  (await call(testApp, getTryAddress, { token: owner.token, params: { id } })).json().try_address;

const start = (challenge: "level" | "gravity" | "captcha", id = shieldId) =>
  call(testApp, startTry, { token: owner.token, params: { id }, body: { challenge } });

const end = () => call(testApp, endTry, { token: owner.token, params: { id: shieldId } });

async function compiled() {
  const { config } = await testApp.platform.db
    .selectFrom("shield_configs")
    .select("config")
    .where("schema", "=", configSchemaVersion)
    .where("shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
  const { try_label, try_challenge, try_until } = shieldConfig.parse(JSON.parse(config)).mitigation;
  return { try_label, try_challenge, try_until };
}

/** As zone DNS gets it. */
async function zoneRecord(): Promise<unknown> {
  const audience = { kind: "dns", location: "", schema: configSchemaVersion } as const;
  const rows = await selectSnapshotPage(testApp.platform.db, audience, {
    now: testApp.clock.now(),
    afterId: null,
  });
  return JSON.parse(rows.find(({ shield_id }) => shield_id === shieldId)?.config ?? "null");
}

describe("the try address", () => {
  test("is a name of its own for 24 hours, which edges and zone DNS get", async () => {
    expect(await read()).toBeNull();
    const before = await zoneRecord();
    const answer = await start("gravity");
    expect(answer.statusCode).toBe(200);
    const { message, revision, try_address: made } = answer.json();
    expect([message, revision]).toEqual(["Try address is ready for 24 hours", 2]);
    expect(made.host).toMatch(/^try[a-z2-7]{9}\.gs\.localhost$/);
    const now = testApp.clock.nowMs();
    expect([Date.parse(made.created_at), Date.parse(made.expires_at)]).toEqual([
      now,
      now + tryHours * hourMs,
    ]);
    expect(await read()).toEqual(made);
    expect(await compiled()).toEqual({
      try_label: made.host,
      try_challenge: "gravity",
      try_until: now + tryHours * hourMs,
    });
    expect(await zoneRecord()).toEqual({
      ...(before as object),
      revision: 2,
      try_label: made.host,
    });
    testApp.clock.advance(tryHours * hourMs);
    expect(await zoneRecord()).toEqual({ ...(before as object), revision: 2 });
  });

  test("renewed it keeps its name, and asks for what was chosen last", async () => {
    const first = (await start("level")).json().try_address;
    testApp.clock.advance(hourMs);
    const second = (await start("captcha")).json().try_address;
    expect(second).toEqual({
      ...first,
      challenge: "captcha",
      expires_at: new Date(testApp.clock.nowMs() + tryHours * hourMs).toISOString(),
    });
    testApp.clock.advance(tryHours * hourMs);
    expect(await read()).toBeNull();
    expect((await start("level")).json().try_address.host).not.toBe(first.host);
  });

  test("removed it is gone from edges and zone; a second time nothing happens", async () => {
    const before = await zoneRecord();
    await start("level");
    expect((await end()).json()).toEqual({ message: "Try address removed", revision: 3 });
    expect(await read()).toBeNull();
    expect(await compiled()).toEqual({ try_label: null, try_challenge: "level", try_until: 0 });
    expect(await zoneRecord()).toEqual({ ...(before as object), revision: 3 });
    expect((await end()).json().revision).toBeNull();
  });

  test("two shields have two names", async () => {
    const other = (await createShield(testApp, owner)).id;
    const hosts = [await start("level"), await start("level", other)].map(
      (answer) => answer.json().try_address.host,
    );
    expect(new Set(hosts).size).toBe(2);
  });

  test("the job removes names whose time is over, and no other", async () => {
    const endJob = () => testApp.runJob("mitigation.try-expiry");
    await start("level");
    await endJob();
    expect((await compiled()).try_label).not.toBeNull();
    testApp.clock.advance(tryHours * hourMs);
    await endJob();
    expect((await compiled()).try_label).toBeNull();
  });

  test.each([
    ["an unknown check", { challenge: "premium" }, 422],
    ["none", {}, 422],
  ])("%s is refused", async (_what, body, status) => {
    const params = { id: shieldId };
    const answer = await call(testApp, startTry, { token: owner.token, params, body });
    expect(answer.statusCode).toBe(status);
  });

  test("a shield that is not active gets none: 409", async () => {
    await testApp.platform.db
      .updateTable("shields")
      .set({ status: "expired" })
      .where("id", "=", shieldId)
      .execute();
    for (const answer of [await start("level"), await end()]) {
      expect([answer.statusCode, answer.json().code]).toEqual([409, "server_not_active"]);
    }
  });
});
