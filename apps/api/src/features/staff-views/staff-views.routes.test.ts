import { allRoutes, routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routeSamples, type RouteId } from "#src/test-support/route-samples.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  call,
  createStaff,
  createUser,
  expectStatus,
  openSession,
  type TestUser,
} from "#src/test-support/test-users.ts";
import { createTestWorld, type TestWorld } from "#src/test-support/test-world.ts";

const { viewAs, endView } = routes.staffUsers;

let testApp: TestApp;
let world: TestWorld;
beforeAll(async () => {
  testApp = await createTestApp();
  world = await createTestWorld(testApp);
}, 60_000);
afterAll(() => testApp?.close());

async function view(staff: TestUser, userId: string) {
  const answer = await expectStatus(
    call(testApp, viewAs, {
      token: staff.token,
      params: { userId },
      body: { reason: "Ticket 7: the shield shows no players" },
    }),
    201,
  );
  return viewAs.response.parse(answer.json());
}

const readAs = (token: string) => call(testApp, routes.servers.listServers, { token });

describe("a view as customer changes nothing", () => {
  let token: string;
  beforeAll(async () => {
    ({ token } = await view(world.staff, world.owner.id));
  });

  const changing = allRoutes.filter(({ method }) => method !== "GET");

  test.each(changing.map((route) => [route.id, route] as const))("%s", async (_, route) => {
    const sample = await routeSamples[route.id as RouteId](world, world.owner.token);
    const answer = await call(testApp, route, { ...sample, token });
    expect([answer.statusCode, answer.json().code]).toEqual([403, "view_only"]);
  });

  const withheld = allRoutes.filter(
    ({ method, path }) =>
      method === "GET" && /(\.(csv|zip)|\/(export|tail|backup-codes))$/.test(path),
  );

  test.each(withheld.map((route) => [route.id, route] as const))(
    "and %s hands nothing over",
    async (_, route) => {
      const sample = await routeSamples[route.id as RouteId](world, world.owner.token);
      const answer = await call(testApp, route, { ...sample, token });
      expect([answer.statusCode, answer.json().code]).toEqual([403, "view_only"]);
    },
  );

  test("and opens nothing of the staff area", async () => {
    for (const route of allRoutes.filter(
      ({ access, method }) => access === "staff" && method === "GET",
    )) {
      const sample = await routeSamples[route.id as RouteId](world, world.owner.token);
      const answer = await call(testApp, route, { ...sample, token });
      expect([route.id, answer.statusCode]).toEqual([route.id, 403]);
    }
  });
});

test("shows what the customer sees, and each page once on the staff member's record", async () => {
  const { token } = await view(world.staff, world.owner.id);
  const own = await expectStatus(readAs(world.owner.token), 200);
  for (let time = 0; time < 3; time += 1) {
    expect((await expectStatus(readAs(token), 200)).json()).toEqual(own.json());
  }
  const params = { id: world.shieldId };
  await expectStatus(call(testApp, routes.servers.getServer, { token, params }), 200);
  const rows = () =>
    testApp.platform.db
      .selectFrom("staff_actions")
      .innerJoin("audit_log", "audit_log.id", "staff_actions.audit_id")
      .select(["route", "subjects", "chain", "staff_id"])
      .where("credential", "like", "view:%")
      .where("staff_actions.response_status", "=", 200)
      .orderBy("staff_actions.created_at")
      .execute();
  const seen = { chain: `user:${world.staff.id}`, staff_id: world.staff.id };
  const pages = (await rows()).filter(({ route }) => route.startsWith("servers."));
  expect(pages).toContainEqual({
    ...seen,
    route: "servers.get",
    subjects: { userId: world.owner.id, ...params },
  });
  expect(pages.filter(({ route }) => route === "servers.list")).toHaveLength(1);
});

test("a refused change is on the staff member's record too", async () => {
  const { token } = await view(world.staff, world.owner.id);
  const answer = await call(testApp, routes.servers.generateCname, { token });
  const requestId = String(answer.headers["x-request-id"]);
  const chain = await until(() =>
    testApp.platform.db
      .selectFrom("audit_log")
      .select(["chain", "response_status"])
      .where("request_id", "=", requestId)
      .executeTakeFirst(),
  );
  expect(chain).toEqual({ chain: `user:${world.staff.id}`, response_status: 403 });
});

describe("a view ends", () => {
  test("after 15 minutes", async () => {
    const { token } = await view(world.staff, world.owner.id);
    testApp.clock.advance(15 * 60_000 - 1);
    await expectStatus(readAs(token), 200);
    testApp.clock.advance(1);
    await expectStatus(readAs(token), 401);
  });

  test("with the staff member's session, and when they end it, but not by a colleague", async () => {
    const staff = await createStaff(testApp);
    const colleague = await createStaff(testApp);
    const first = await view(staff, world.owner.id);
    const end = ({ token }: TestUser) =>
      call(testApp, endView, { token, params: { viewId: first.view_id } });
    await expectStatus(end(colleague), 404);
    await expectStatus(readAs(first.token), 200);
    await expectStatus(end(staff), 200);
    await expectStatus(readAs(first.token), 401);

    const second = await view(staff, world.owner.id);
    const own = { token: await openSession(testApp, staff) };
    await expectStatus(call(testApp, routes.auth.logout, { token: own.token }), 200);
    await expectStatus(readAs(second.token), 200);
    await expectStatus(call(testApp, routes.auth.logout, { token: staff.token }), 200);
    await expectStatus(readAs(second.token), 401);
  });

  test("when the staff member is staff no longer", async () => {
    const staff = await createStaff(testApp);
    const { token } = await view(staff, world.owner.id);
    await testApp.platform.db
      .updateTable("users")
      .set({ role: "customer", staff_roles: [] })
      .where("id", "=", staff.id)
      .execute();
    await expectStatus(readAs(token), 401);
  });
});

test("there is no view of a colleague, and none of an account that is gone", async () => {
  const colleague = await createStaff(testApp);
  const gone = await createUser(testApp);
  await testApp.platform.db
    .updateTable("users")
    .set({ deleted_at: testApp.clock.now() })
    .where("id", "=", gone.id)
    .execute();
  const ask = (userId: string) =>
    call(testApp, viewAs, {
      token: world.staff.token,
      params: { userId },
      body: { reason: "Ticket 7" },
    });
  expect((await ask(colleague.id)).statusCode).toBe(409);
  expect((await ask(gone.id)).statusCode).toBe(404);
});
