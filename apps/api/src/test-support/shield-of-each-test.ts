import { afterAll, beforeAll, beforeEach } from "vitest";
import { createTestApp, type TestApp } from "./test-app.ts";
import { createShield, enrolEdge } from "./test-shields.ts";
import { createStaff, createUser, type TestUser } from "./test-users.ts";

export interface ShieldOfTest {
  readonly testApp: TestApp;
  readonly owner: TestUser;
  readonly shieldId: string;
}

/** Gives a test file an app with an edge, and each of its tests an owner with a new shield. */
export function eachTestHasAShield(take: (current: ShieldOfTest) => void): void {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp();
    await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
  });
  afterAll(() => testApp?.close());
  beforeEach(async () => {
    const owner = await createUser(testApp);
    take({ testApp, owner, shieldId: (await createShield(testApp, owner)).id });
  });
}
