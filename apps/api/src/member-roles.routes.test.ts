import { roleRights, type MemberRole, type Rights } from "@palisade/contract/http/member-rights";
import type { RouteDefinition } from "@palisade/contract/http/route";
import { allRoutes, routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routeSamples, type RouteId } from "#src/test-support/route-samples.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { addMember } from "#src/test-support/test-shields.ts";
import { call, createUser, expectStatus, type TestUser } from "#src/test-support/test-users.ts";
import { createTestWorld, type TestWorld } from "#src/test-support/test-world.ts";

let testApp: TestApp;
let world: TestWorld;
const members = new Map<MemberRole, TestUser>();

/** A set of rights that no other role has. */
const custom: Rights = {
  general: "view",
  logs: "none",
  addresses: "none",
  backends: "none",
  domains: "view",
  mitigation: "none",
  caching: "none",
  messages: "none",
  bedrock: "none",
  notifications: "none",
  firewall: "change",
  history: "view",
};

beforeAll(async () => {
  testApp = await createTestApp();
  world = await createTestWorld(testApp);
  for (const role of ["viewer", "operator", "manager", "custom"] as const) {
    const user = await createUser(testApp);
    await addMember(testApp, world.shieldId, user);
    members.set(role, user);
    await change(user, role === "custom" ? { role, rights: custom } : { role });
  }
}, 60_000);
afterAll(() => testApp?.close());

async function subUserOf({ email }: TestUser) {
  const answer = await expectStatus(
    call(testApp, routes.subUsers.listSubUsers, {
      token: world.owner.token,
      params: { id: world.shieldId },
    }),
    200,
  );
  const { sub_users } = routes.subUsers.listSubUsers.response.parse(answer.json());
  const found = sub_users.find((each) => each.email === email);
  if (found === undefined) throw new Error(`${email} is no sub-user`);
  return found;
}

async function change(user: TestUser, body: object) {
  const { id: subUserId } = await subUserOf(user);
  return expectStatus(
    call(testApp, routes.subUsers.updateSubUser, {
      token: world.owner.token,
      params: { id: world.shieldId, subUserId },
      body,
    }),
    200,
  );
}

/** The interval of the log is the caller's own; the others change nothing. */
const readsBesidesGet = new Set(["servers.doctor", "logs.updateSettings", "mitigation.replay"]);
const isRead = ({ id, method }: RouteDefinition) => method === "GET" || readsBesidesGet.has(id);
const everyMembers = new Set([
  "servers.get",
  "servers.overview",
  "servers.propagation",
  "serverMessages.image",
  "analytics.get",
  "analytics.export",
]);

/** The rights of the roles in the words of their description, without the areas of the contract. */
const mayCall: Record<MemberRole, (route: RouteDefinition) => boolean> = {
  viewer: (route) => isRead(route) && !route.id.startsWith("history."),
  // To restore is to change: what the operator may not change is left out.
  operator: (route) =>
    isRead(route) || /^(mitigation|firewall|serverMessages|history)\./.test(route.id),
  manager: () => true,
  custom: (route) =>
    everyMembers.has(route.id) ||
    /^(firewall|history)\./.test(route.id) ||
    (isRead(route) && /^(domains|region)\./.test(route.id)),
};

const ofShields = allRoutes.filter(({ path }) => path.startsWith("/servers/:id"));

describe.each(Object.keys(mayCall) as MemberRole[])("a member with the role %s", (role) => {
  test.each(ofShields.map((route) => [route.id, route] as const))(
    "may call %s exactly if the role includes it",
    async (id, route) => {
      const { token } = members.get(role) ?? world.member;
      // The table's type has every route of the contract.
      const sample = await routeSamples[id as RouteId](world, token);
      const params = { ...sample.params, id: world.shieldId };
      const answer = await call(testApp, route, { ...sample, params, token });
      const isAllowed = route.access === "member" && mayCall[role](route);
      const code = isAllowed ? undefined : answer.json().code;
      expect({ status: answer.statusCode, code, body: isAllowed ? answer.body : "" }).toEqual({
        status: isAllowed ? route.success : 403,
        code: isAllowed ? undefined : "forbidden",
        body: isAllowed ? expect.anything() : "",
      });
    },
  );
});

describe("roles", () => {
  test("are told to the member, with their rights by area", async () => {
    for (const [role, { token }] of members) {
      const answer = await expectStatus(
        call(testApp, routes.servers.getServer, { token, params: { id: world.shieldId } }),
        200,
      );
      const { server } = routes.servers.getServer.response.parse(answer.json());
      expect([server.role, server.member_role]).toEqual(["member", role]);
      expect(server.rights).toEqual(role === "custom" ? custom : roleRights[role]);
    }
  });

  test("without a choice are those of a manager, as before there were roles", async () => {
    const user = await createUser(testApp);
    await addMember(testApp, world.shieldId, user);
    expect(await subUserOf(user)).toMatchObject({ role: "manager", rights: roleRights.manager });
  });

  test("take a right away with the next call, and are on the shield's record", async () => {
    const user = await createUser(testApp);
    await addMember(testApp, world.shieldId, user);
    const rename = () =>
      call(testApp, routes.serverLife.renameServer, {
        token: user.token,
        params: { id: world.shieldId },
        body: { server_name: "Renamed" },
      });
    await expectStatus(rename(), 200);
    await change(user, { role: "viewer" });
    await expectStatus(rename(), 403);
    const answer = await expectStatus(
      call(testApp, routes.history.listHistory, {
        token: world.owner.token,
        params: { id: world.shieldId },
        query: { area: "members" },
      }),
      200,
    );
    const { data } = routes.history.listHistory.response.parse(answer.json());
    expect(data[0]).toMatchObject({
      author: { kind: "owner", name: world.owner.email },
      changes: [{ field: "member", before: "manager", after: "viewer" }],
    });
    // Accounts may be deleted before the record is.
    expect(JSON.stringify(data)).not.toContain(user.email);
  });

  test("with rights of their own need every area, and no other role takes rights", async () => {
    const user = await createUser(testApp);
    await addMember(testApp, world.shieldId, user);
    const { id: subUserId } = await subUserOf(user);
    const attempt = (body: object) =>
      call(testApp, routes.subUsers.updateSubUser, {
        token: world.owner.token,
        params: { id: world.shieldId, subUserId },
        body,
      });
    for (const body of [
      { role: "custom" },
      { role: "custom", rights: { firewall: "change" } },
      { role: "custom", rights: { ...custom, firewall: "all" } },
      { role: "custom", rights: { ...custom, plan: "change" } },
      { role: "owner" },
      {},
    ]) {
      const answer = await expectStatus(attempt(body), 422);
      expect(answer.json().issues[0].path).toMatch(/^(role|rights)/);
    }
    await expectStatus(attempt({ role: "viewer", rights: custom }), 200);
    expect((await subUserOf(user)).rights).toEqual(roleRights.viewer);
  });
});
