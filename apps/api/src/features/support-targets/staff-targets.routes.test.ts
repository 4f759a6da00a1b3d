import type { RouteDefinition } from "@palisade/contract/http/route";
import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addTicket } from "#src/test-support/ticket-samples.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";
import { refreshResponseClock } from "./response-clock.service.ts";

let testApp: TestApp;
let admin: TestUser;
beforeAll(async () => {
  testApp = await createTestApp();
  admin = await createStaff(testApp);
});
afterAll(() => testApp?.close());

const { staffSupport } = routes;
const reason = "New promises of the year";
const usual = { minutes: 600, hours: "business" };
const targets = { low: usual, medium: { minutes: 90, hours: "always" }, high: usual };
const hours = { time_zone: "Asia/Tokyo", days: [6, 7], opens_at: "10:30", closes_at: "24:00" };

function act(route: RouteDefinition, body: object, params: Record<string, string> = {}) {
  return call(testApp, route, { token: admin.token, params, body });
}

async function read() {
  const answer = await call(testApp, staffSupport.readSupportTargets, { token: admin.token });
  return staffSupport.readSupportTargets.response.parse(answer.json());
}

async function dueAtOf(ticketId: string): Promise<Date | null> {
  const { db, clock } = testApp.platform;
  await db.transaction().execute((trx) => refreshResponseClock(trx, ticketId, clock.now()));
  const { due_at } = await db
    .selectFrom("tickets")
    .select("due_at")
    .where("id", "=", ticketId)
    .executeTakeFirstOrThrow();
  return due_at;
}

test("a changed target says when the next answers are due", async () => {
  const customer = await createUser(testApp);
  const { id } = await addTicket(testApp, customer.id);
  const body = { ...targets, critical: usual, reason };
  const answer = await act(staffSupport.changeSupportTargets, body, { plan: "free" });
  expect(answer.statusCode).toBe(200);
  const { plans } = await read();
  expect(plans.find(({ slug }) => slug === "free")).toMatchObject({
    holders: null,
    targets: { ...targets, critical: usual },
  });
  expect(plans.find(({ slug }) => slug === "priority")?.targets.critical.minutes).toBe(60);
  const due = testApp.clock.now().getTime() + 90 * 60_000;
  expect((await dueAtOf(id))?.getTime()).toBe(due);
  const unknown = await act(staffSupport.changeSupportTargets, body, { plan: "none" });
  expect(unknown.statusCode).toBe(404);
});

test("the hours of support are kept as they were given, also to the end of a day", async () => {
  expect((await act(staffSupport.changeSupportHours, { ...hours, reason })).statusCode).toBe(200);
  expect((await read()).hours).toEqual(hours);
});

test.each([
  ["no day", { days: [] }, "days"],
  ["a day twice", { days: [1, 1] }, "days"],
  ["a time zone that there is not", { time_zone: "Europe/Atlantis" }, "time_zone"],
  ["a time that there is not", { opens_at: "25:00" }, "opens_at"],
  ["an end before the begin", { opens_at: "18:00", closes_at: "09:00" }, "closes_at"],
  ["less than an hour", { opens_at: "10:30", closes_at: "11:29" }, "closes_at"],
  ["no reason", { reason: "" }, "reason"],
])("hours with %s are refused", async (_, change, path) => {
  const before = (await read()).hours;
  const answer = await act(staffSupport.changeSupportHours, { ...hours, reason, ...change });
  expect([answer.statusCode, answer.json().issues[0].path.split(".")[0]]).toEqual([422, path]);
  expect((await read()).hours).toEqual(before);
});

test("only an admin changes them; support and billing read", async () => {
  for (const role of ["support", "billing"] as const) {
    const { token } = await createStaff(testApp, [role]);
    const seen = await call(testApp, staffSupport.readSupportTargets, { token });
    expect(seen.statusCode).toBe(200);
    const body = { ...hours, reason };
    const refused = await call(testApp, staffSupport.changeSupportHours, { token, body });
    expect(refused.statusCode).toBe(403);
  }
});
