import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommandLine } from "#src/test-support/command-line.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { call } from "#src/test-support/test-users.ts";

let testApp: TestApp;

beforeAll(async () => {
  testApp = await createTestApp();
  // The command works by the system's clock, as its invitations expire.
  testApp.clock.set(new Date());
});
afterAll(() => testApp.close());

const invite = (...args: readonly string[]) => runCommandLine(testApp, ["edge", "invite", ...args]);

describe("edge invite", () => {
  test("prints id and token as JSON; the token enrols that node", async () => {
    const { stdout } = await invite("--name", "local", "--location", "local", "--kind", "dns");
    const { edge_id, enrolment_token: token } = JSON.parse(stdout) as Record<string, string>;
    const answer = await call(testApp, routes.edge.enrol, { body: { token, addresses: [] } });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ edge_id, kind: "dns", location: "local" });
  });

  test("inviting a name again ends the node it was", async () => {
    const args = ["--name", "again", "--location", "local"];
    const first = JSON.parse((await invite(...args)).stdout) as Record<string, string>;
    await invite(...args);
    const body = { token: first["enrolment_token"], addresses: [] };
    expect((await call(testApp, routes.edge.enrol, { body })).statusCode).toBe(422);
  });

  test("goes by the movable clock of development", async () => {
    const { db } = testApp.platform;
    await db.updateTable("development_clock").set({ offset_ms: "864000000" }).execute();
    const args = ["--name", "later", "--location", "local"];
    const { edge_id } = JSON.parse((await invite(...args)).stdout) as { edge_id: string };
    await db.updateTable("development_clock").set({ offset_ms: "0" }).execute();
    const { created_at } = await db
      .selectFrom("edges")
      .select("created_at")
      .where("id", "=", edge_id)
      .executeTakeFirstOrThrow();
    expect(created_at.getTime() - Date.now()).toBeGreaterThan(863_000_000);
  });

  test("says what is wrong with a call, and prints nothing else", async () => {
    expect(await invite("--name", "UPPER", "--location", "local")).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("--name: Use lower-case letters"),
    });
    expect(await invite("--name", "x", "--location", "atlantis")).toMatchObject({
      code: 1,
      stderr: "This location is not available\n",
    });
  });
});
