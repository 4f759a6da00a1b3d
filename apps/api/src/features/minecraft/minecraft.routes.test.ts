import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { call } from "#src/test-support/test-users.ts";

let testApp: TestApp;

beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp.close());

test("versions come oldest first with their numbers, to anybody, and may be kept", async () => {
  const answer = await call(testApp, routes.minecraft.versions, {});
  expect(answer.statusCode).toBe(200);
  expect(answer.headers["cache-control"]).toBe("public, max-age=3600");
  const { releases, versions } = routes.minecraft.versions.response.parse(answer.json());
  expect(versions).toEqual(releases.map(({ version }) => version));
  expect(releases[0]).toEqual({ version: "1.5.2", protocol: 61 });
  expect(releases).toContainEqual({ version: "1.8", protocol: 47 });
  expect(versions.indexOf("1.6.4")).toBeLessThan(versions.indexOf("1.8"));
});
