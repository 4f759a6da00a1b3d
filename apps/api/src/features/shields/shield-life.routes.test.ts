import { configSchemaVersion } from "@palisade/contract/edge/shield-config";
import { routes } from "@palisade/contract/http/routes";
import type { Server } from "@palisade/contract/http/servers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TestApp } from "#src/test-support/test-app.ts";
import {
  createSharedShield,
  dayMs,
  createShieldLifeFixture,
  shieldLifeCalls,
} from "#src/test-support/test-shield-life.ts";
import type { TestEdge } from "#src/test-support/test-shields.ts";
import { openTestStream } from "#src/test-support/test-stream.ts";
import { call, type TestUser } from "#src/test-support/test-users.ts";
import { hold, untilWaiting } from "#src/test-support/waiting.ts";

let testApp: TestApp;
let replica: TestApp;
let edge: TestEdge;
let stranger: TestUser;
let owner: TestUser;
let member: TestUser;
let shield: Server;

const { db, remove, read, listed, setStatus, revisionOf } = shieldLifeCalls(() => ({
  testApp,
  owner,
  shield,
}));

beforeAll(async () => {
  ({ testApp, replica, edge, stranger } = await createShieldLifeFixture());
});
afterAll(async () => {
  await replica?.close();
  await testApp?.close();
});
beforeEach(async () => {
  ({ owner, member, shield } = await createSharedShield(testApp));
});

function rename(server_name: unknown, by = owner, locale = "en") {
  return call(testApp, routes.serverLife.renameServer, {
    token: by.token,
    params: { id: shield.id },
    body: { server_name },
    headers: { "accept-language": locale },
  });
}

describe("renaming", () => {
  test("owner and sub-user may; label and configuration stay as they are", async () => {
    for (const [by, name, locale, message] of [
      [owner, "Мой сервер_2", "en", "Server renamed successfully"],
      [member, " Second - name ", "ru", "Сервер переименован"],
    ] as const) {
      const answer = await rename(name, by, locale);
      expect([answer.statusCode, answer.json().message]).toEqual([200, message]);
      expect(answer.json().server).toMatchObject({
        server_name: name.trim(),
        cname_record: shield.cname_record,
      });
    }
    expect(await revisionOf()).toBe(1);
  });

  test.each([
    ["", "Server name is required"],
    ["   ", "Server name is required"],
    [undefined, "Server name is required"],
    ["x".repeat(256), "Server name must not exceed 255 characters"],
    [
      "semi;colon",
      "Server name can only contain letters, numbers, spaces, hyphens and underscores",
    ],
  ])("%j is refused at its field", async (name, message) => {
    const answer = await rename(name);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().issues[0]).toMatchObject({ path: "server_name", message });
  });

  test("a shield that is not active keeps its name", async () => {
    await setStatus("expired");
    const answer = await rename("Other");
    expect([answer.statusCode, answer.json().code]).toEqual([409, "server_not_active"]);
  });
});

describe("deleting", () => {
  test("takes the typed name, edges drop the shield, the owner reads 410 and others 404", async () => {
    const stream = await openTestStream(testApp, edge, { schema: configSchemaVersion });
    await stream.next("snapshot_end");
    const wrong = await remove({ name: `${shield.server_name}!` });
    expect(wrong.statusCode).toBe(422);
    expect(wrong.json().issues).toMatchObject([
      { path: "server_name", message: "This is not the name of the server" },
    ]);
    expect(await read()).toBe(200);
    const answer = await remove({ name: ` ${shield.server_name} ` });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      message: "Resource deleted successfully",
      revision: 2,
      restorable_until: new Date(testApp.clock.now().getTime() + 14 * dayMs).toISOString(),
    });
    expect((await stream.next("delta")).removed).toEqual([shield.id]);
    stream.close();
    expect([await read(), await read(member), await read(stranger)]).toEqual([410, 404, 404]);
    expect(await listed()).toEqual([]);
    expect(await listed("deleted", member)).toEqual([]);
    expect(await listed("deleted")).toMatchObject([
      {
        id: shield.id,
        status: "deleted",
        deleted_at: testApp.clock.now().toISOString(),
        restorable_until: answer.json().restorable_until,
      },
    ]);
  });

  test("a sub-user may not, nor a stranger, and the shield stays", async () => {
    expect((await remove({ by: member })).statusCode).toBe(403);
    expect((await remove({ by: stranger })).statusCode).toBe(404);
    expect(await read(member)).toBe(200);
  });

  test("again answers alike and counts once; the name is still asked for", async () => {
    const first = (await remove()).json();
    testApp.clock.advance(dayMs);
    const again = await remove();
    expect([again.statusCode, again.json()]).toEqual([200, first]);
    expect((await remove({ name: "other" })).statusCode).toBe(422);
  });

  test("two at once, on two replicas: both are told, one revision", async () => {
    const answers = await Promise.all([remove(), remove({ app: replica })]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(await revisionOf()).toBe(2);
  });

  test("a settings write that waited for it is refused and changes nothing", async () => {
    const holder = await hold(testApp, (trx) =>
      trx.selectFrom("shields").select("id").where("id", "=", shield.id).forUpdate().execute(),
    );
    const deleting = remove();
    await untilWaiting(testApp, 1);
    const params = { id: shield.id };
    const writing = call(replica, routes.firewall.addFirewallEntry, {
      token: member.token,
      params,
      body: { type: "blacklist", ip: "203.0.113.200" },
    });
    await untilWaiting(testApp, 2);
    await holder.release();
    expect((await deleting).statusCode).toBe(200);
    expect((await writing).json().code).toBe("server_not_active");
    expect(await revisionOf()).toBe(2);
    const entries = await db()
      .selectFrom("firewall_entries")
      .select("id")
      .where("shield_id", "=", shield.id)
      .execute();
    expect(entries).toEqual([]);
  });

  test("a renewal setting that waited for it is refused: nothing renews what is deleted", async () => {
    const holder = await hold(testApp, (trx) =>
      trx.selectFrom("shields").select("id").where("id", "=", shield.id).forUpdate().execute(),
    );
    const deleting = remove();
    await untilWaiting(testApp, 1);
    const toggling = call(replica, routes.servers.updateOverview, {
      token: owner.token,
      params: { id: shield.id },
      body: { automatic_renewal: false },
    });
    await untilWaiting(testApp, 2);
    await holder.release();
    expect((await deleting).statusCode).toBe(200);
    expect((await toggling).json().code).toBe("server_not_active");
  });
});
