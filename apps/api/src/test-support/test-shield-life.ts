import { routes } from "@palisade/contract/http/routes";
import type { Server } from "@palisade/contract/http/servers";
import { sql } from "kysely";
import type { ShieldStatus } from "#src/schema/shields.ts";
import { createTestApp, type TestApp } from "./test-app.ts";
import { freshDomain } from "./test-domains.ts";
import { addMember, createShield, enrolEdge } from "./test-shields.ts";
import { call, createStaff, createUser, proveAnew, type TestUser } from "./test-users.ts";

export const dayMs = 86_400_000;

/** Two replicas, an edge, and an account without any shield. */
export async function createShieldLifeFixture() {
  const testApp = await createTestApp();
  const replica = await createTestApp({ sharing: testApp });
  // The tests say when: the schedule's own runs would erase in between.
  await sql`delete from jobs.schedule`.execute(testApp.platform.db);
  const edge = await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
  return { testApp, replica, edge, stranger: await createUser(testApp) };
}

/** A shield of an owner and a sub-user, all of them new. */
export async function createSharedShield(testApp: TestApp) {
  const owner = await createUser(testApp);
  const member = await createUser(testApp);
  const shield = await createShield(testApp, owner, { domain: freshDomain() });
  await addMember(testApp, shield.id, member);
  return { owner, member, shield };
}

/** Calls about the present shield of the test; by its owner, unless said. */
export function shieldLifeCalls(
  now: () => { readonly testApp: TestApp; readonly owner: TestUser; readonly shield: Server },
) {
  const db = () => now().testApp.platform.db;

  async function remove(
    options: { readonly name?: string; readonly by?: TestUser; readonly app?: TestApp } = {},
  ) {
    const { testApp, owner, shield } = now();
    const { token } = options.by ?? owner;
    await proveAnew(testApp, token);
    return call(options.app ?? testApp, routes.serverLife.deleteServer, {
      token,
      params: { id: shield.id },
      body: { server_name: options.name ?? shield.server_name },
    });
  }

  function restore(by = now().owner, app = now().testApp) {
    return call(app, routes.serverLife.restoreServer, {
      token: by.token,
      params: { id: now().shield.id },
    });
  }

  async function read(by = now().owner): Promise<number> {
    const { testApp, shield } = now();
    const params = { id: shield.id };
    return (await call(testApp, routes.servers.getServer, { token: by.token, params })).statusCode;
  }

  async function listed(status?: ShieldStatus, by = now().owner) {
    const query = status === undefined ? {} : { status };
    const { testApp } = now();
    const answer = await call(testApp, routes.servers.listServers, { token: by.token, query });
    return routes.servers.listServers.response.parse(answer.json()).data;
  }

  async function setStatus(status: ShieldStatus): Promise<void> {
    const { id } = now().shield;
    await db().updateTable("shields").set({ status }).where("id", "=", id).execute();
  }

  async function revisionOf(): Promise<number> {
    const row = await db()
      .selectFrom("shields")
      .select("revision")
      .where("id", "=", now().shield.id)
      .executeTakeFirstOrThrow();
    return row.revision;
  }

  return { db, remove, restore, read, listed, setStatus, revisionOf };
}
