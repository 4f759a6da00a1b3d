import { routes } from "@palisade/contract/http/routes";
import { addMember } from "./test-shields.ts";
import type { TestApp } from "./test-app.ts";
import {
  call,
  createApiKey,
  createStaff,
  createUser,
  expectStatus,
  type TestUser,
} from "./test-users.ts";

/** One shield and everybody who may or may not touch it. */
export interface TestWorld {
  readonly testApp: TestApp;
  readonly owner: TestUser;
  readonly member: TestUser;
  readonly formerMember: TestUser;
  readonly stranger: TestUser;
  readonly staff: TestUser;
  /** API keys of the owner. */
  readonly readKey: string;
  readonly writeKey: string;
  readonly edgeCredential: string;
  readonly shieldId: string;
}

export async function createTestWorld(testApp: TestApp): Promise<TestWorld> {
  const owner = await createUser(testApp);
  const member = await createUser(testApp);
  const formerMember = await createUser(testApp);
  const staff = await createStaff(testApp);
  // A location can be chosen once it has an edge.
  const edgeCredential = await enrolEdge(testApp, staff);
  const shieldId = await createShield(testApp, owner);
  await addMember(testApp, shieldId, member);
  await addMember(testApp, shieldId, formerMember);
  await removeMember(testApp, shieldId, formerMember);
  return {
    testApp,
    owner,
    member,
    formerMember,
    stranger: await createUser(testApp),
    staff,
    readKey: await createApiKey(testApp, owner, "read"),
    writeKey: await createApiKey(testApp, owner, "write"),
    edgeCredential,
    shieldId,
  };
}

let serial = 0;

/** A shield of the user on the free plan, created as the console does. */
export async function createShield(testApp: TestApp, owner: TestUser): Promise<string> {
  const answer = await expectStatus(
    call(testApp, routes.servers.createServer, {
      token: owner.token,
      body: await shieldBody(testApp, owner.token),
    }),
    201,
  );
  return routes.servers.createServer.response.parse(answer.json()).server.id;
}

/** A valid body for another shield of the token's user. */
export async function shieldBody(
  testApp: TestApp,
  token: string,
): Promise<Record<string, unknown>> {
  const reserved = await expectStatus(call(testApp, routes.servers.generateCname, { token }), 201);
  const { cname_record } = routes.servers.generateCname.response.parse(reserved.json());
  const listed = await expectStatus(call(testApp, routes.plans.listPricingPlans, { token }), 200);
  const { plans } = routes.plans.listPricingPlans.response.parse(listed.json());
  return {
    pricing_plan_id: plans.find((plan) => plan.price_cents === 0)?.id,
    server_name: `Shield ${++serial}`,
    real_ip: "127.0.0.1",
    real_port: 25_566,
    location: "local",
    domain: `mc${serial}.example.com`,
    cname_record,
  };
}

export async function removeMember(
  testApp: TestApp,
  shieldId: string,
  user: TestUser,
): Promise<void> {
  await testApp.platform.db
    .deleteFrom("shield_members")
    .where("shield_id", "=", shieldId)
    .where("user_id", "=", user.id)
    .execute();
}

/** An invited edge: its id and one-time token. */
export async function inviteEdge(
  testApp: TestApp,
  staff: TestUser,
): Promise<{ id: string; token: string }> {
  const answer = await expectStatus(
    call(testApp, routes.staffEdges.createEdge, {
      token: staff.token,
      body: {
        name: `edge-${++serial}`,
        location: "local",
        kind: "edge",
        reason: "A new machine",
      },
    }),
    201,
  );
  const { edge, enrolment_token } = routes.staffEdges.createEdge.response.parse(answer.json());
  return { id: edge.id, token: enrolment_token };
}

export async function enrolEdge(testApp: TestApp, staff: TestUser): Promise<string> {
  const { token } = await inviteEdge(testApp, staff);
  const answer = await expectStatus(
    call(testApp, routes.edge.enrol, { body: { token, addresses: [] } }),
    201,
  );
  return routes.edge.enrol.response.parse(answer.json()).credential;
}
