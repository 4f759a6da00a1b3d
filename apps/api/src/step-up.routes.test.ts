import { allRoutes } from "@palisade/contract/http/routes";
import type { RouteDefinition } from "@palisade/contract/http/route";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routeSamples, type RouteId } from "#src/test-support/route-samples.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { addPasskey } from "#src/test-support/test-authenticator.ts";
import { createTwoFactorUser } from "#src/test-support/test-two-factor.ts";
import { call, createUser, openSession } from "#src/test-support/test-users.ts";
import { createTestWorld, type TestWorld } from "#src/test-support/test-world.ts";

let testApp: TestApp;
let world: TestWorld;
/** The token of a session that a thief may have, by what its holder has proved. */
const stolen = new Map<string, string>();

const thefts = [
  "of an owner who proved themselves 10 minutes ago",
  "that has just proved the password, where two-factor is on",
  "that has just proved a code, where there is a passkey",
] as const;

beforeAll(async () => {
  testApp = await createTestApp();
  world = await createTestWorld(testApp);
  const { token: old } = await createUser(testApp);
  testApp.clock.advance(10 * 60_000);
  const withCodes = await createTwoFactorUser(testApp);
  const keyHolder = await createUser(testApp);
  await addPasskey(testApp, keyHolder);
  const tokens = [
    old,
    await openSession(testApp, withCodes, "password"),
    await openSession(testApp, keyHolder, "code"),
  ];
  for (const [index, theft] of thefts.entries()) stolen.set(theft, tokens[index] ?? "");
}, 60_000);
afterAll(() => testApp?.close());

const guarded = allRoutes.filter(
  ({ recent, access }: RouteDefinition) => recent === true && access !== "staff",
);

describe.each(thefts)("a session %s", (theft) => {
  test.each(guarded.map((route) => [route.id, route] as const))(
    "cannot call %s",
    async (_, route) => {
      // A call that would succeed for its caller: only the session is another's.
      const sample = await routeSamples[route.id as RouteId](world, world.owner.token);
      const answer = await call(testApp, route, { ...sample, token: stolen.get(theft) });
      expect([answer.statusCode, answer.json().code]).toEqual([403, "step_up_required"]);
    },
  );
});
