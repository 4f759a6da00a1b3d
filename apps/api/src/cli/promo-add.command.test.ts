import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommandLine } from "#src/test-support/command-line.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { promoAddCommand } from "./promo-add.command.ts";

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp?.close());

const promo = (...args: readonly string[]) => runCommandLine(testApp, ["promo", ...args]);

describe("promo add", () => {
  test("adds a code in upper case with its limits, on record; a second of its name is refused", async () => {
    const limits = ["--percent", "10", "--until", "2999-01-31", "--per-user", "1", "--total", "50"];
    expect(await promo("add", "welcome", ...limits)).toEqual({
      code: 0,
      stdout: "WELCOME adds 10 % until 2999-01-31T23:59:59.999Z, 1 per user, 50 in all\n",
      stderr: "",
    });
    const { db } = testApp.platform;
    expect(await db.selectFrom("promo_codes").selectAll().execute()).toMatchObject([
      { code: "WELCOME", percentage: 10, per_user_max: 1, total_max: 50 },
    ]);
    const rows = await db
      .selectFrom("audit_log")
      .select(["chain", "endpoint", "response_status"])
      .where("method", "=", "CLI")
      .execute();
    expect(rows).toEqual([
      { chain: "system", endpoint: "promo add WELCOME", response_status: 201 },
    ]);
    expect(await promo("add", "WELCOME", "--percent", "20")).toMatchObject({
      code: 1,
      stderr: "There is a promo code WELCOME already\n",
    });
  });

  test("goes by the clock the api goes by: a code is valid from its now, and ends after it", async () => {
    const { db } = testApp.platform;
    const days = 400;
    await db
      .updateTable("development_clock")
      .set({ offset_ms: days * 86_400_000 })
      .execute();
    const today = new Date(Date.now() + days * 86_400_000);
    const past = new Date(today.getTime() - 30 * 86_400_000).toISOString().slice(0, 10);
    expect(await promo("add", "LATE", "--percent", "5", "--until", past)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--until: give a day to come/),
    });
    expect(await promo("add", "AHEAD", "--percent", "5")).toMatchObject({ code: 0 });
    const { starts_at: startsAt } = await db
      .selectFrom("promo_codes")
      .select("starts_at")
      .where("code", "=", "AHEAD")
      .executeTakeFirstOrThrow();
    expect(startsAt.getTime()).toBeGreaterThanOrEqual(today.getTime());
  });

  // Refused before the database is asked, hence without a process of their own.
  test.each([
    [["--percent", "10"], /one code/],
    [["A", "--percent", "10"], /3 to 32/],
    [["ПРИВЕТ", "--percent", "10"], /3 to 32/],
    [["CODE"], /--percent/],
    ...["0", "101", "1e1", "-1", "1.5", "１０"].map((percent) => [
      ["CODE", `--percent=${percent}`],
      /--percent: give a whole number from 1 to 100/,
    ]),
    [["CODE", "--percent", "10", "--total", "0"], /--total/],
    [["CODE", "--percent", "10", "--per-user", "x"], /--per-user/],
    ...["2999-02-30", "tomorrow", "2999-13-01"].map((until) => [
      ["CODE", "--percent", "10", "--until", until],
      /--until/,
    ]),
  ] as [string[], RegExp][])("%j is wrong usage", async (args, message) => {
    const run = promoAddCommand.run(args);
    await expect(run).rejects.toThrow(message);
    await expect(run).rejects.toMatchObject({ exitCode: 2 });
  });
});
