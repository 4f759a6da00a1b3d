import { mountedPath, type RouteDefinition } from "@palisade/contract/http/route";
import { allRoutes, routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routeSamples, type RouteId } from "#src/test-support/route-samples.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createTestWorld, type TestWorld } from "#src/test-support/test-world.ts";

/**
 * Every route that changes something refuses the requests that a page of another site can make a
 * browser send. Such a page cannot read a token, and without a preflight it can only send forms and
 * plain text.
 */

let testApp: TestApp;
let world: TestWorld;
beforeAll(async () => {
  testApp = await createTestApp();
  world = await createTestWorld(testApp);
}, 60_000);
afterAll(() => testApp?.close());

const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
/** A caller whose body is read: these tests do not rely on the foreign page having no token. */
function tokenFor({ access }: RouteDefinition): string {
  if (access === "edge") return world.edgeCredential;
  return (access === "staff" ? world.staff : world.owner).token;
}

// Webhooks are called by programs, and believed for their signature alone.
const changing = allRoutes.filter(({ method, rawBody }) => method !== "GET" && rawBody !== true);

describe.each(changing)("$method $path", (route) => {
  const url = mountedPath(route).replaceAll(/:\w+/g, "0");

  test("takes no form and no plain text, though what it says is right", async () => {
    const { body, ip } = await routeSamples[route.id as RouteId](world, undefined);
    const bodies = {
      "text/plain": JSON.stringify(body ?? {}),
      "application/x-www-form-urlencoded": new URLSearchParams(
        Object.entries(body ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
      ).toString(),
      "multipart/form-data; boundary=x": `--x\r\n\r\n${JSON.stringify(body ?? {})}\r\n--x--`,
    };
    for (const [type, payload] of Object.entries(bodies)) {
      const answer = await testApp.app.inject({
        method: route.method,
        url,
        ...(ip === undefined ? {} : { remoteAddress: ip }),
        headers: { ...foreign, "content-type": type, authorization: `Bearer ${tokenFor(route)}` },
        payload,
      });
      expect(answer.statusCode, `${type}: ${answer.body}`).toBe(415);
      expect(answer.headers["set-cookie"]).toBeUndefined();
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  test("gives no other origin leave to send more", async () => {
    const answer = await testApp.app.inject({
      method: "OPTIONS",
      url,
      headers: {
        ...foreign,
        "access-control-request-method": route.method,
        "access-control-request-headers": "authorization,content-type,x-xsrf-token",
      },
    });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
  });
});

test("no cookie but those of a pending registration and a known device is ever set, and they go to no other site", async () => {
  const { body } = await routeSamples["auth.register"](world, undefined);
  const { owner } = world;
  const answers = await Promise.all([
    testApp.app.inject({
      method: "POST",
      url: mountedPath(routes.auth.register),
      payload: body ?? {},
    }),
    testApp.app.inject({
      method: "POST",
      url: mountedPath(routes.auth.login),
      payload: { email: owner.email, password: "correct horse battery" },
    }),
  ]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 200]);
  const cookies = answers.flatMap((answer) => answer.cookies);
  expect(cookies.map(({ name, sameSite }) => [name, sameSite])).toEqual([
    ["palisade_pending", "Strict"],
    ["XSRF-TOKEN", "Strict"],
    ["palisade_device", "Strict"],
  ]);
});
