import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { call, createUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp?.close());

describe("accounts", () => {
  test("register, confirm, log in, current user, log out", async () => {
    const user = await createUser(testApp, "Ann@Example.com");
    const current = await call(testApp, routes.auth.user, { token: user.token });
    expect(current.statusCode).toBe(200);
    expect(current.json()).toMatchObject({ user: { id: user.id, email: "Ann@Example.com" } });
    expect((await call(testApp, routes.auth.logout, { token: user.token })).statusCode).toBe(200);
    expect((await call(testApp, routes.auth.user, { token: user.token })).statusCode).toBe(401);
  });
});
