import { routes } from "@palisade/contract/http/routes";
import { measuredAnswersMin } from "@palisade/contract/http/usual-answer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addTicket } from "#src/test-support/ticket-samples.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { call, createUser, expectStatus, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp?.close());

async function usualOf({ token }: TestUser) {
  const route = routes.responseTimes.listResponseTimes;
  const answer = await expectStatus(call(testApp, route, { token }), 200);
  return route.response.parse(answer.json()).response_times;
}

test("customers are told the target of their plan, until enough answers are measured", async () => {
  const { db } = testApp.platform;
  const customer = await createUser(testApp);
  expect(await usualOf(customer)).toEqual([
    { severity: "low", usual_minutes: 1_620, hours: "business" },
    { severity: "medium", usual_minutes: 1_080, hours: "business" },
    { severity: "high", usual_minutes: 540, hours: "business" },
    { severity: "critical", usual_minutes: 240, hours: "business" },
  ]);

  const other = await createUser(testApp);
  const answered = async (minutes: number) => {
    const { id } = await addTicket(testApp, other.id);
    const answered_at = new Date(testApp.clock.now().getTime() + minutes * 60_000);
    await db.updateTable("tickets").set({ answered_at }).where("id", "=", id).execute();
  };
  for (let n = 1; n < measuredAnswersMin; n++) await answered(n < 10 ? 10 : 60);
  expect((await usualOf(customer))[1]?.usual_minutes).toBe(1_080);
  await answered(50);
  const measured = { severity: "medium", usual_minutes: 55, hours: "always" };
  expect((await usualOf(customer))[1]).toEqual(measured);

  const { id } = await db
    .selectFrom("support_plans")
    .select("id")
    .where("slug", "=", "business")
    .executeTakeFirstOrThrow();
  const now = testApp.clock.now();
  await db
    .insertInto("support_subscriptions")
    .values({
      user_id: customer.id,
      support_plan_id: id,
      price_cents: 9_900,
      anchor_at: now,
      period: 1,
      period_starts_at: now,
      period_ends_at: new Date(now.getTime() + 30 * 86_400_000),
      next_renewal_at: new Date(now.getTime() + 30 * 86_400_000),
      created_at: now,
    })
    .execute();
  // Measured are only those who pay for the same.
  const business = { severity: "medium", usual_minutes: 30, hours: "always" };
  expect((await usualOf(customer))[1]).toEqual(business);
});
