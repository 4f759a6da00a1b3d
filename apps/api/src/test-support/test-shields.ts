import { configSchemaVersion } from "@palisade/contract/edge/shield-config";
import { routes } from "@palisade/contract/http/routes";
import type { Server } from "@palisade/contract/http/servers";
import { until } from "@palisade/testing/until";
import { sql } from "kysely";
import { hasOldKey } from "#src/features/configuration/cookie-keys.repository.ts";
import type { TestApp } from "./test-app.ts";
import { call, type TestUser } from "./test-users.ts";

export interface TestEdge {
  readonly id: string;
  readonly credential: string;
}

/** Invited by staff and enrolled over the api, as a real node is. */
export async function enrolEdge(
  testApp: TestApp,
  staff: TestUser,
  invitation: {
    readonly name: string;
    readonly location?: string;
    readonly kind?: "edge" | "dns";
    readonly addresses?: readonly string[];
  },
): Promise<TestEdge> {
  const { addresses = ["127.0.0.1"], ...place } = { location: "local", ...invitation };
  const body = { ...place, reason: "A new machine" };
  const created = await call(testApp, routes.staffEdges.createEdge, { token: staff.token, body });
  const { enrolment_token } = routes.staffEdges.createEdge.response.parse(created.json());
  const answer = await call(testApp, routes.edge.enrol, {
    body: { token: enrolment_token, addresses },
  });
  const { edge_id, credential } = routes.edge.enrol.response.parse(answer.json());
  return { id: edge_id, credential };
}

/** With what it had learnt: until the shields of its location have other keys. */
export async function revokeEdge(
  testApp: TestApp,
  staff: TestUser,
  { id: edgeId }: Pick<TestEdge, "id">,
): Promise<void> {
  const route = routes.staffEdges.revokeEdge;
  const answer = await call(testApp, route, {
    token: staff.token,
    params: { edgeId },
    body: { reason: "Its credential was stolen" },
  });
  if (answer.statusCode !== 200) throw new Error(`revoking answered ${answer.body}`);
  await until(async () => {
    const { rows } = await sql`
      select from shield_configs other where schema = ${configSchemaVersion} and ${hasOldKey}
    `.execute(testApp.platform.db);
    return rows.length === 0;
  });
}

export type PlanSlug = "free" | "plus" | "pro" | "network";

/** A seeded plan; plus costs 9 euros, pro 29. */
export async function planIdOf(testApp: TestApp, slug: PlanSlug): Promise<string> {
  const { id } = await testApp.platform.db
    .selectFrom("pricing_plans")
    .select("id")
    .where("slug", "=", slug)
    .executeTakeFirstOrThrow();
  return id;
}

/** The id of a backend of the shield. */
export async function firstBackend({ platform }: TestApp, shieldId: string): Promise<string> {
  const { id } = await platform.db
    .selectFrom("backends")
    .innerJoin("backend_groups", "backend_groups.id", "backends.group_id")
    .select("backends.id")
    .where("backend_groups.shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
  return id;
}

export async function reserveCname(testApp: TestApp, user: TestUser): Promise<string> {
  const answer = await call(testApp, routes.servers.generateCname, { token: user.token });
  return routes.servers.generateCname.response.parse(answer.json()).cname_record;
}

/** A body that creates a shield; its location needs an edge. */
export async function shieldBody(testApp: TestApp, user: TestUser, plan: PlanSlug = "free") {
  return {
    pricing_plan_id: await planIdOf(testApp, plan),
    server_name: "My server",
    real_ip: "127.0.0.1",
    real_port: 25_565,
    location: "local",
    domain: "mc.example.com",
    cname_record: await reserveCname(testApp, user),
  };
}

export async function createShield(
  testApp: TestApp,
  user: TestUser,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<Server> {
  const body = { ...(await shieldBody(testApp, user)), ...changes };
  const answer = await call(testApp, routes.servers.createServer, { token: user.token, body });
  if (answer.statusCode !== 201) throw new Error(`No shield: ${answer.body}`);
  return routes.servers.createServer.response.parse(answer.json()).server;
}

/** Another user in the shield, until there are invitations. */
export async function addMember(testApp: TestApp, shieldId: string, user: TestUser): Promise<void> {
  await testApp.platform.db
    .insertInto("shield_members")
    .values({
      shield_id: shieldId,
      user_id: user.id,
      role: "member",
      created_at: testApp.clock.now(),
    })
    .execute();
}
