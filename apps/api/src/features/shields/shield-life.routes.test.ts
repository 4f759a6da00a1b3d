import { configSchemaVersion } from "@palisade/contract/edge/shield-config";
import { routes } from "@palisade/contract/http/routes";
import type { Server } from "@palisade/contract/http/servers";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "#src/platform/ids.ts";
import type { ShieldStatus } from "#src/schema/shields.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { giveMoney, requireWholeLedger } from "#src/test-support/test-money.ts";
import { addMember, createShield, enrolEdge, planIdOf } from "#src/test-support/test-shields.ts";
import { openTestStream } from "#src/test-support/test-stream.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";
import { hold, untilWaiting } from "#src/test-support/waiting.ts";
import { figureTables, settingsTables } from "./shield-life.repository.ts";
import { shieldPurge } from "./shield-purge.jobs.ts";
import { freeShieldsMax } from "./shields.service.ts";

const dayMs = 86_400_000;

let testApp: TestApp;
let replica: TestApp;
let owner: TestUser;
let member: TestUser;
let stranger: TestUser;
let edge: Awaited<ReturnType<typeof enrolEdge>>;
let shield: Server;
let serial = 0;

beforeAll(async () => {
  testApp = await createTestApp();
  replica = await createTestApp({ sharing: testApp });
  // The tests say when: the schedule's own runs would erase in between.
  await sql`delete from jobs.schedule`.execute(testApp.platform.db);
  edge = await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
  stranger = await createUser(testApp);
});
afterAll(async () => {
  await replica?.close();
  await testApp?.close();
});
beforeEach(async () => {
  owner = await createUser(testApp);
  member = await createUser(testApp);
  shield = await createShield(testApp, owner, { domain: `life${++serial}.example.com` });
  await addMember(testApp, shield.id, member);
});

const db = () => testApp.platform.db;

function rename(server_name: unknown, by = owner, locale = "en") {
  return call(testApp, routes.serverLife.renameServer, {
    token: by.token,
    params: { id: shield.id },
    body: { server_name },
    headers: { "accept-language": locale },
  });
}

function remove(
  options: { readonly name?: string; readonly by?: TestUser; readonly app?: TestApp } = {},
) {
  return call(options.app ?? testApp, routes.serverLife.deleteServer, {
    token: (options.by ?? owner).token,
    params: { id: shield.id },
    body: { server_name: options.name ?? shield.server_name },
  });
}

function restore(by = owner, app = testApp) {
  return call(app, routes.serverLife.restoreServer, {
    token: by.token,
    params: { id: shield.id },
  });
}

async function read(by = owner): Promise<number> {
  const params = { id: shield.id };
  return (await call(testApp, routes.servers.getServer, { token: by.token, params })).statusCode;
}

async function listed(status?: ShieldStatus, by = owner) {
  const query = status === undefined ? {} : { status };
  const answer = await call(testApp, routes.servers.listServers, { token: by.token, query });
  return routes.servers.listServers.response.parse(answer.json()).data;
}

async function setStatus(status: ShieldStatus): Promise<void> {
  await db().updateTable("shields").set({ status }).where("id", "=", shield.id).execute();
}

async function revisionOf(): Promise<number> {
  const row = await db()
    .selectFrom("shields")
    .select("revision")
    .where("id", "=", shield.id)
    .executeTakeFirstOrThrow();
  return row.revision;
}

const purge = () =>
  shieldPurge({ db: db(), clock: testApp.clock, log: testApp.platform.log }).run({});

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

  test("a sub-user may not, nor a stranger, and the shield lives on (fault 35)", async () => {
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

describe("restoring", () => {
  test("brings label, settings, port, people and proven domains back, to the edges too", async () => {
    await db()
      .updateTable("shield_domains")
      .set({ verified_at: testApp.clock.now() })
      .where("shield_id", "=", shield.id)
      .execute();
    const groupId = newId();
    await db()
      .insertInto("backend_groups")
      .values({
        id: groupId,
        shield_id: shield.id,
        name: "Voice",
        balancing: "random",
        proxy_protocol: false,
        is_default: false,
        game: "other",
        port: 30_000 + serial,
        created_at: testApp.clock.now(),
      })
      .execute();
    await remove();
    testApp.clock.advance(14 * dayMs - 1_000);
    const stream = await openTestStream(testApp, edge, { schema: configSchemaVersion });
    await stream.next("snapshot_end");
    const answer = await restore();
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      message: "Server restored",
      revision: 3,
      server: { id: shield.id, status: "active", cname_record: shield.cname_record },
    });
    const [line] = (await stream.next("delta")).shields;
    expect(line?.config).toMatchObject({
      label: shield.cname_record,
      domains: [{ name: shield.domain, proven: true }],
      groups: [{ default: true }, { id: groupId, port: 30_000 + serial }],
    });
    stream.close();
    expect([await read(), await read(member)]).toEqual([200, 200]);
    expect(await listed()).toMatchObject([{ deleted_at: null, restorable_until: null }]);
    expect(await listed("deleted")).toEqual([]);
  });

  test("twice at once, on two replicas, is once", async () => {
    await remove();
    const answers = await Promise.all([restore(), restore(owner, replica)]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(answers.map((answer) => answer.json().revision)).toEqual([3, 3]);
    expect(await revisionOf()).toBe(3);
  });

  test("only its owner may, and only for 14 days", async () => {
    await remove();
    expect((await restore(member)).statusCode).toBe(404);
    expect((await restore(stranger)).statusCode).toBe(404);
    testApp.clock.advance(14 * dayMs);
    expect((await restore()).statusCode).toBe(404);
    expect(await read()).toBe(404);
    expect(await listed("deleted")).toEqual([]);
  });

  test.each(["blocked", "expired"] as const)("what was %s is so again", async (status) => {
    await setStatus(status);
    await remove();
    expect((await restore()).json().server.status).toBe(status);
  });

  test("after the period that was paid for it is active for 72 hours, then expired; nothing is charged", async () => {
    const plan = await planIdOf(testApp, "plus");
    const graceMs = 72 * 3_600_000;
    for (const [fromEndMs, status] of [
      [-dayMs, "active"],
      [graceMs - 1, "active"],
      [graceMs, "expired"],
    ] as const) {
      await giveMoney(testApp, owner, 1_000);
      shield = await createShield(testApp, owner, {
        pricing_plan_id: plan,
        domain: `paid${++serial}.example.com`,
      });
      const { period_ends_at } = await db()
        .selectFrom("subscriptions")
        .select("period_ends_at")
        .where("shield_id", "=", shield.id)
        .executeTakeFirstOrThrow();
      // Deleted in its last days, so that it can still be restored.
      testApp.clock.set(new Date(period_ends_at.getTime() - 2 * dayMs));
      await remove();
      testApp.clock.set(new Date(period_ends_at.getTime() + fromEndMs));
      const answer = await restore();
      expect([answer.statusCode, answer.json().server?.status]).toEqual([200, status]);
    }
    const { cents } = await db()
      .selectFrom("subscriptions")
      .select((eb) => eb.fn.countAll<string>().as("cents"))
      .where("shield_id", "=", shield.id)
      .executeTakeFirstOrThrow();
    expect(Number(cents)).toBe(1);
    await requireWholeLedger(testApp);
  });

  test("a domain that somebody else has proven meanwhile stays theirs", async () => {
    const now = testApp.clock.now();
    await db()
      .updateTable("shield_domains")
      .set({ verified_at: now })
      .where("shield_id", "=", shield.id)
      .execute();
    await remove();
    const { domain } = shield;
    const other = await createUser(testApp);
    const theirs = await createShield(testApp, other, { domain: "placeholder.example.com" });
    await db()
      .updateTable("shield_domains")
      .set({ verified_at: null })
      .where("shield_id", "=", shield.id)
      .execute();
    await db()
      .updateTable("shield_domains")
      .set({ name: domain ?? "", verified_at: now })
      .where("shield_id", "=", theirs.id)
      .execute();
    expect((await restore()).statusCode).toBe(200);
    const claims = await db()
      .selectFrom("shield_domains")
      .select(["shield_id", "verified_at"])
      .where("name", "=", domain)
      .orderBy("verified_at")
      .execute();
    expect(claims).toEqual([
      { shield_id: theirs.id, verified_at: now },
      { shield_id: shield.id, verified_at: null },
    ]);
  });

  test("free shields stay within the number one account may have, also restored at once", async () => {
    await remove();
    const [first] = [shield];
    shield = await createShield(testApp, owner, { domain: `life${++serial}.example.com` });
    await remove();
    const crowd = freeShieldsMax - 1;
    await sql`
      insert into shields (id, owner_id, server_name, status, pricing_plan_id, cname_record,
        location, revision, created_at)
      select gen_random_uuid(), owner_id, server_name, 'active', pricing_plan_id,
        'full-' || ${serial}::int || '-' || n || '.gs.localhost', location, 1, created_at
      from shields, generate_series(1, ${crowd}::int) n where id = ${shield.id}
    `.execute(db());
    const answers = await Promise.all(
      [first, shield].map(({ id }) =>
        call(testApp, routes.serverLife.restoreServer, { token: owner.token, params: { id } }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 409,
    ]);
    const refused = answers.find(({ statusCode }) => statusCode === 409);
    expect(refused?.json().message).toBe(
      "You have as many free Game Shields as one account may have",
    );
  });
});

describe("after 14 days", () => {
  /** Tables with rows of the shield. */
  async function tablesWithRows(): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'shield_id' order by table_name
    `.execute(db());
    const found: string[] = [];
    for (const { name } of rows) {
      const { rows: some } = await sql`
        select 1 from ${sql.table(name)} where shield_id = ${shield.id} limit 1
      `.execute(db());
      if (some.length > 0) found.push(name);
    }
    return found;
  }

  test("what was set and counted is erased, once; money, record and label stay", async () => {
    const hour = testApp.clock.now();
    const counts = { joins: 1, pings: 1, refused: 0, bytes_up: 1, bytes_down: 1 };
    await db()
      .insertInto("traffic_hours")
      .values({ shield_id: shield.id, hour, player_seconds: 1, ...counts })
      .execute();
    await remove();
    await purge();
    expect(await tablesWithRows()).toContain("backend_groups");
    testApp.clock.advance(14 * dayMs);
    await purge();
    expect(await tablesWithRows()).toEqual(["cname_reservations", "shield_configs"]);
    const { config } = await db()
      .selectFrom("shield_configs")
      .select("config")
      .where("shield_id", "=", shield.id)
      .executeTakeFirstOrThrow();
    expect(config).toBe("{}");
    const { erased_at, server_name } = await db()
      .selectFrom("shields")
      .select(["erased_at", "server_name"])
      .where("id", "=", shield.id)
      .executeTakeFirstOrThrow();
    expect(server_name).toBe("");
    testApp.clock.advance(dayMs);
    await purge();
    const after = await db()
      .selectFrom("shields")
      .select("erased_at")
      .where("id", "=", shield.id)
      .executeTakeFirstOrThrow();
    expect(after.erased_at).toEqual(erased_at);
    expect([await read(), (await restore()).statusCode, (await remove()).statusCode]).toEqual([
      404, 404, 404,
    ]);
  });

  test("a run goes on until none is due", async () => {
    await remove();
    await sql`
      insert into shields (id, owner_id, server_name, status, pricing_plan_id, cname_record,
        location, revision, created_at, deleted_at)
      select gen_random_uuid(), owner_id, server_name, 'deleted', pricing_plan_id,
        'due-' || n || '.gs.localhost', location, 1, created_at, deleted_at
      from shields, generate_series(1, 200) n where id = ${shield.id}
    `.execute(db());
    testApp.clock.advance(14 * dayMs);
    await purge();
    const left = await db()
      .selectFrom("shields")
      .select("id")
      .where("owner_id", "=", owner.id)
      .where("erased_at", "is", null)
      .execute();
    expect(left).toEqual([]);
  });

  test("one restored in time is not erased, even while the job is at it", async () => {
    await remove();
    testApp.clock.advance(14 * dayMs - 1);
    const holder = await hold(testApp, (trx) =>
      trx.selectFrom("shields").select("id").where("id", "=", shield.id).forUpdate().execute(),
    );
    const restoring = restore();
    await untilWaiting(testApp, 1);
    testApp.clock.advance(1);
    const purging = purge();
    await untilWaiting(testApp, 2);
    await holder.release();
    await purging;
    expect((await restoring).statusCode).toBe(200);
    expect(await tablesWithRows()).toContain("backend_groups");
  });

  test("every table that names shields is erased, or known to stay", async () => {
    const { rows } = await sql<{ name: string }>`
      select distinct conrelid::regclass::text as name from pg_constraint
      where contype = 'f' and confrelid = 'shields'::regclass
    `.execute(db());
    const stays = ["cname_reservations", "shield_configs", "subscriptions"];
    expect(rows.map(({ name }) => name).toSorted()).toEqual(
      [...settingsTables, ...figureTables, ...stays].toSorted(),
    );
  });
});

describe("an account whose owner wants to leave", () => {
  test("is told to delete its shields first; then goes, and they with it", async () => {
    const leave = () =>
      call(testApp, routes.account.deleteAccount, {
        token: owner.token,
        body: { email: owner.email },
      });
    const refused = await leave();
    expect([refused.statusCode, refused.json().message]).toEqual([
      409,
      "You still have Game Shields. Delete them first",
    ]);
    await remove();
    expect((await leave()).statusCode).toBe(200);
    const left = await db()
      .selectFrom("backend_groups")
      .select("id")
      .where("shield_id", "=", shield.id)
      .execute();
    expect(left).toEqual([]);
    testApp.clock.advance(14 * dayMs);
    await purge();
    const { erased_at } = await db()
      .selectFrom("shields")
      .select("erased_at")
      .where("id", "=", shield.id)
      .executeTakeFirstOrThrow();
    expect(erased_at).not.toBeNull();
  });

  test("takes its deleted shields along, even one that is being restored at that moment", async () => {
    await remove();
    const holder = await hold(testApp, (trx) =>
      trx.selectFrom("users").select("id").where("id", "=", owner.id).forUpdate().execute(),
    );
    const leaving = call(testApp, routes.account.deleteAccount, {
      token: owner.token,
      body: { email: owner.email },
    });
    await untilWaiting(testApp, 1);
    const restoring = restore(owner, replica);
    await untilWaiting(testApp, 2);
    await holder.release();
    expect((await leaving).statusCode).toBe(200);
    expect((await restoring).statusCode).toBe(404);
  });
});
