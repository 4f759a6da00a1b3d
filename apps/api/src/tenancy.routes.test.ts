import { allRoutes } from "@palisade/contract/http/routes";
import { accessClasses, mountedPath, type RouteDefinition } from "@palisade/contract/http/route";
import { hasStaffRole, staffRoles, type StaffRole } from "@palisade/contract/http/staff-roles";
import { until } from "@palisade/testing/until";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "#src/platform/database/ids.ts";
import { routeSamples, type RouteId } from "#src/test-support/route-samples.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";
import { createShield, createTestWorld, type TestWorld } from "#src/test-support/test-world.ts";

let testApp: TestApp;
let world: TestWorld;
beforeAll(async () => {
  testApp = await createTestApp();
  world = await createTestWorld(testApp);
}, 60_000);
afterAll(() => testApp?.close());

const callers = {
  anonymous: () => undefined,
  stranger: () => world.stranger.token,
  "sub-user": () => world.member.token,
  "ex-sub-user": () => world.formerMember.token,
  owner: () => world.owner.token,
  staff: () => world.staff.token,
  "read key": () => world.readKey,
  "write key": () => world.writeKey,
  edge: () => world.edgeCredential,
} satisfies Record<string, () => string | undefined>;
type Caller = keyof typeof callers;
const callerNames = Object.keys(callers) as Caller[];

/** The status that the route's access class demands for an otherwise valid call. */
function expectedStatus(route: RouteDefinition, caller: Caller): number {
  const { access, apiKey, success } = route;
  if (access === "anonymous") return success;
  if (access === "edge") return caller === "edge" ? success : 401;
  if (caller === "anonymous" || caller === "edge") return 401;
  if (caller === "read key" && apiKey !== "read") return 403;
  if (caller === "write key" && apiKey === "none") return 403;
  const isOwner = ["owner", "read key", "write key"].includes(caller);
  if (access === "customer") return success;
  if (access === "staff") return caller === "staff" ? success : 403;
  if (isOwner) return success;
  if (caller !== "sub-user") return 404;
  return access === "member" ? success : 403;
}

async function callAs(route: RouteDefinition, caller: Caller) {
  const token = callers[caller]();
  // The table's type has every route of the contract.
  const sample = await routeSamples[route.id as RouteId](world, token);
  return call(testApp, route, { token, ...sample });
}

describe("tenancy", () => {
  test("every route of the contract is mounted and has a class", () => {
    for (const route of allRoutes) {
      expect(accessClasses, route.id).toContain(route.access);
      expect(testApp.app.hasRoute({ method: route.method, url: mountedPath(route) })).toBe(true);
    }
  });

  describe.each(allRoutes.map((route) => [route.id, route] as const))("%s", (_, route) => {
    test.each(callerNames)("answers %s as its class demands", async (caller) => {
      const answer = await callAs(route, caller);
      expect({
        status: answer.statusCode,
        body: answer.statusCode < 300 ? "" : answer.body,
      }).toEqual({
        status: expectedStatus(route, caller),
        body: answer.statusCode < 300 ? "" : answer.body,
      });
    });
  });
});

describe("staff without the role", () => {
  const ofStaff = allRoutes.filter(({ access }) => access === "staff");
  const colleagues = new Map<StaffRole, TestUser>();
  beforeAll(async () => {
    for (const role of staffRoles) colleagues.set(role, await createStaff(testApp, [role]));
  }, 60_000);

  test.each(ofStaff.map((route) => [route.id, route] as const))(
    "%s answers each role as the contract says, and is on record with its reason",
    async (_, route) => {
      for (const [role, { token, id }] of colleagues) {
        const sample = await routeSamples[route.id as RouteId](world, token);
        const answer = await call(testApp, route, { token, ...sample });
        const isAllowed = hasStaffRole([role], route.staffRoles);
        expect([role, answer.statusCode]).toEqual([role, isAllowed ? route.success : 403]);
        const isChange = route.method !== "GET" && route.audited !== false;
        const isOnRecord = isChange || route.showsPersonalData === true;
        if (!isAllowed || !isOnRecord) continue;
        const requestId = String(answer.headers["x-request-id"]);
        const rows = () => selectStaffActions(requestId);
        await until(async () => (await rows()).length > 0);
        const body = (sample.body ?? {}) as { readonly reason?: string };
        expect(await rows()).toEqual([
          {
            staff_id: id,
            route: route.id,
            subjects: sample.params ?? {},
            reason: body.reason ?? null,
            response_status: route.success,
          },
        ]);
      }
    },
  );

  function selectStaffActions(requestId: string) {
    return testApp.platform.db
      .selectFrom("staff_actions")
      .innerJoin("audit_log", "audit_log.id", "staff_actions.audit_id")
      .select(["staff_id", "route", "subjects", "reason", "staff_actions.response_status"])
      .where("request_id", "=", requestId)
      .execute();
  }
});

/** Parameters of the path that name something within the shield, by what the contract takes. */
function childParams(route: RouteDefinition): string[] {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? "");
  const takes = (name: string, value: string) =>
    route.params?.safeParse({
      ...Object.fromEntries(names.map((each) => [each, newId()])),
      [name]: value,
    }).success === true;
  return names.filter((name) => name !== "id" && takes(name, newId()) && !takes(name, "blacklist"));
}

describe("another shield's items are 404 under the caller's own shield", () => {
  const ofShields = allRoutes.filter(({ access }) => access === "member" || access === "owner");
  const withChildren = ofShields.flatMap((route) =>
    childParams(route).map((name) => [`${route.id} :${name}`, route, name] as const),
  );
  let other: TestUser;
  let otherShieldId: string;
  beforeAll(async () => {
    other = await createUser(testApp);
    otherShieldId = await createShield(testApp, other);
  });

  test("every parameter is the shield, a child of it or one of a few words", () => {
    expect(withChildren.length).toBeGreaterThan(0);
    for (const route of ofShields) expect(route.path, route.id).toContain("/:id");
  });

  test.each(withChildren)("%s", async (_, route, name) => {
    const sample = await routeSamples[route.id as RouteId](world, world.owner.token);
    const foreign = { ...sample.params, id: otherShieldId };
    const attempt = (params: Record<string, string>, token: string) =>
      call(testApp, route, { ...sample, params, token });
    const answer = await attempt(foreign, other.token);
    expect({ status: answer.statusCode, code: answer.json().code }).toEqual({
      status: 404,
      code: "not_found",
    });
    const unknown = await attempt({ ...foreign, [name]: newId() }, other.token);
    expect(unknown.statusCode).toBe(404);
    // It is still there for its owner.
    const own = await attempt({ ...sample.params }, world.owner.token);
    expect([own.statusCode, own.statusCode < 300 ? "" : own.body]).toEqual([route.success, ""]);
  });
});

describe("the owner's own calls", () => {
  const ofOwners = allRoutes.filter(({ access }) => access === "owner");

  test("is the plan, renewal, deletion, sub-users, erasing a player and links to attacks, and nothing beside", () => {
    const others = ofOwners.filter(
      ({ path }) =>
        !/^\/servers\/:id(\/(overview|restore|renew|change-plan(\/quote)?|sub-users.*|logs\/erase|attacks\/:attackId\/shares.*))?$/.test(
          path,
        ),
    );
    expect(others.map(({ id }) => id)).toEqual([]);
  });

  test("refuses a sub-user, and leaves shield, people and subscription as they are", async () => {
    const { db } = testApp.platform;
    const state = async () => {
      const tables = ["shields", "shield_members", "subscriptions"] as const;
      const id = {
        shields: "id",
        shield_members: "shield_id",
        subscriptions: "shield_id",
      } as const;
      return Promise.all(
        tables.map((table) =>
          sql`select * from ${sql.table(table)} where ${sql.ref(id[table])} = ${world.shieldId}
            order by 1, 2`.execute(db),
        ),
      ).then((results) => results.map(({ rows }) => rows));
    };
    for (const route of ofOwners) {
      const sample = await routeSamples[route.id as RouteId](world, world.member.token);
      const before = await state();
      const answer = await call(testApp, route, {
        ...sample,
        params: { ...sample.params, id: world.shieldId },
        token: world.member.token,
      });
      expect([route.id, answer.statusCode, answer.json().code]).toEqual([
        route.id,
        403,
        "forbidden",
      ]);
      expect(await state(), route.id).toEqual(before);
    }
  });
});

describe("audit", () => {
  const mutations = allRoutes.filter(
    ({ method, access, audited }) => method !== "GET" && access !== "edge" && audited !== false,
  );
  const callerOf: Record<string, Caller> = { staff: "staff", anonymous: "anonymous" };

  test.each(mutations.map((route) => [route.id, route] as const))(
    "%s leaves exactly one row with its outcome",
    async (_, route) => {
      const answer = await callAs(route, callerOf[route.access] ?? "owner");
      expect(answer.statusCode).toBe(route.success);
      const requestId = String(answer.headers["x-request-id"]);
      const rows = () =>
        testApp.platform.db
          .selectFrom("audit_log")
          .leftJoin("audit_durations", "audit_durations.audit_id", "audit_log.id")
          .select(["method", "endpoint", "response_status", "duration_ms", "full_url"])
          .where("request_id", "=", requestId)
          .execute();
      // The duration is written last, so no further row can follow it.
      await until(async () => (await rows()).some((row) => row.duration_ms !== null));
      expect(await rows()).toEqual([
        {
          method: route.method,
          endpoint: mountedPath(route),
          response_status: route.success,
          duration_ms: expect.any(Number),
          full_url: expect.stringMatching(/^\/(api|edge)\/v1\//),
        },
      ]);
    },
  );

  test("reports of an edge are not audited", async () => {
    for (const route of allRoutes.filter(
      ({ access, method }) => access === "edge" && method !== "GET",
    )) {
      const answer = await callAs(route, "edge");
      expect(answer.statusCode).toBe(route.success);
    }
    const row = await testApp.platform.db
      .selectFrom("audit_log")
      .select("id")
      .where("actor_kind", "=", "edge")
      .executeTakeFirst();
    expect(row).toBeUndefined();
  });
});
