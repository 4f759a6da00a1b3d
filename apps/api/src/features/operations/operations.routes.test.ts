import type { RouteDefinition } from "@palisade/contract/http/route";
import { routes } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "#src/platform/database/ids.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createShield, enrolEdge } from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let staff: TestUser;
let payer: TestUser;
beforeAll(async () => {
  testApp = await createTestApp();
  staff = await createStaff(testApp);
  payer = await createUser(testApp);
});
afterAll(() => testApp?.close());

const { staffBooks, staffOperations, staffAnnouncements, announcements } = routes;
const reason = "Looked at together with the provider";

function act(route: RouteDefinition, body: object, params: Record<string, string> = {}) {
  return call(testApp, route, { token: staff.token, params, body });
}

async function state() {
  const answer = await call(testApp, staffOperations.readOperations, { token: staff.token });
  return staffOperations.readOperations.response.parse(answer.json()).operations;
}

async function keepCase(cents: number, userId: string | null = payer.id): Promise<string> {
  const id = newId();
  await testApp.platform.db
    .insertInto("quarantined_payments")
    .values({
      id,
      provider: "sandbox",
      reference: `checkout-${id}`,
      intent_id: null,
      user_id: userId,
      reason: "20.00 EUR were ordered",
      amount_cents: cents,
      currency: "EUR",
      account: "sandbox",
      found_at: testApp.clock.now(),
      resolved_by: null,
      resolved_at: null,
      resolution_reason: null,
    })
    .execute();
  return id;
}

async function cases() {
  const answer = await call(testApp, staffBooks.listQuarantine, { token: staff.token });
  return staffBooks.listQuarantine.response.parse(answer.json()).cases;
}

describe("operations", () => {
  test("count edges, shields and players as they are now", async () => {
    const edge = await enrolEdge(testApp, staff, { name: "one" });
    await act(routes.staffEdges.createEdge, { name: "two", location: "local", reason });
    const shield = await createShield(testApp, payer);
    await sql`
      insert into live_gauges (edge_id, shield_id, players, connections_per_second, bandwidth_bps, at)
      values (${edge.id}, ${shield.id}, 12, 1.5, 8000, clock_timestamp())
    `.execute(testApp.platform.db);
    expect(await state()).toMatchObject({
      traffic: { players: 12, connections_per_second: 1.5, bandwidth_bps: 8_000, attacks: 0 },
      shields: { active: 1, expired: 0, blocked: 0 },
      edges: { online: 1, offline: 0, drained: 0, invited: 1, behind: 1 },
      webhooks: { waiting: 0, failed: 0, disabled: 0 },
      money: { frozen_since: null, quarantined: 0, orders_waiting: 0, last_comparison: null },
    });
    const { versions } = await state();
    expect(versions.api).toMatch(/^\d+\.\d+\.\d+$/);
    expect(versions.config).toBeGreaterThan(0);
    const list = await call(testApp, routes.staffEdges.listEdges, { token: staff.token });
    const { edges } = routes.staffEdges.listEdges.response.parse(list.json());
    expect(edges.find(({ id }) => id === edge.id)).toMatchObject({
      drained: false,
      addresses: ["127.0.0.1"],
      config: { version: 0, behind: versions.config, rejected: 0 },
      load: { players: 12, connections_per_second: 1.5, bandwidth_bps: 8_000 },
    });
  });

  test("name queues with work, and mails that were given up", async () => {
    await sql`
      insert into jobs.job (name, state, retry_limit) values ('mail.send', 'failed', 0)
    `.execute(testApp.platform.db);
    const { jobs, mails } = await state();
    expect(jobs.find(({ name }) => name === "mail.send")).toMatchObject({ failed: 1 });
    expect(mails.failed).toBe(1);
  });
});

describe("the quarantine", () => {
  test("a case is credited once, with the reason, as the command credits it", async () => {
    const id = await keepCase(1_500);
    expect(await cases()).toMatchObject([{ id, email: payer.email, can_credit: true }]);
    expect((await state()).money.quarantined).toBe(1);
    const resolve = () =>
      act(staffBooks.resolveQuarantine, { resolution: "credit", reason }, { caseId: id });
    expect((await resolve()).json()).toMatchObject({ outcome: "done" });
    const user = await call(testApp, routes.auth.user, { token: payer.token });
    expect(user.json().user.balance).toBe("15.00");
    expect((await resolve()).statusCode).toBe(409);
    expect(await cases()).toEqual([]);
    const row = await testApp.platform.db
      .selectFrom("quarantined_payments")
      .select(["status", "resolved_by", "resolution_reason"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ status: "credited", resolved_by: staff.id, resolution_reason: reason });
  });

  test("a large one waits for a second staff member; one without a payer is not credited", async () => {
    const large = await keepCase(10_000_000);
    const body = { resolution: "credit", reason };
    const waiting = await act(staffBooks.resolveQuarantine, body, { caseId: large });
    expect(waiting.json()).toMatchObject({ outcome: "waiting" });
    expect((await state()).money.orders_waiting).toBe(1);
    const stray = await keepCase(500, null);
    const refused = await act(staffBooks.resolveQuarantine, body, { caseId: stray });
    expect(refused.statusCode).toBe(409);
    const dismissed = { resolution: "dismiss", reason };
    const done = await act(staffBooks.resolveQuarantine, dismissed, { caseId: stray });
    expect(done.statusCode).toBe(200);
  });
});

describe("purchases", () => {
  test("are frozen and opened, and the books are checked", async () => {
    await act(staffBooks.freezePurchases, { is_frozen: true, reason });
    const read = await call(testApp, staffBooks.readPurchases, { token: staff.token });
    expect(read.json()).toMatchObject({ freeze: { reason } });
    expect((await state()).money.frozen_since).not.toBeNull();
    await act(staffBooks.freezePurchases, { is_frozen: false, reason });
    expect((await state()).money.frozen_since).toBeNull();
    const check = await call(testApp, staffBooks.checkLedger, { token: staff.token });
    expect(check.json()).toMatchObject({ breaks: [], breaks_count: 0 });
  });
});

describe("announcements", () => {
  const at = (minutes: number) =>
    new Date(testApp.clock.now().getTime() + minutes * 60_000).toISOString();
  const shown = async (language = "en") => {
    const headers = { "accept-language": language };
    const answer = await call(testApp, announcements.listAnnouncements, {
      token: payer.token,
      headers,
    });
    return announcements.listAnnouncements.response.parse(answer.json()).announcements;
  };

  test("are shown in the reader's language from their beginning to their end", async () => {
    const body = {
      level: "warning",
      en: "Maintenance tonight",
      ru: "Сегодня ночью работы",
      starts_at: at(10),
      ends_at: at(20),
      reason,
    };
    const created = await act(staffAnnouncements.createAnnouncement, body);
    expect(created.json().announcement.state).toBe("planned");
    expect(await shown()).toEqual([]);
    testApp.clock.advance(11 * 60_000);
    expect(await shown("ru")).toMatchObject([{ level: "warning", text: body.ru }]);
    const [before] = await shown();
    const { id } = created.json().announcement;
    const changed = { ...body, en: "Maintenance is under way" };
    await act(staffAnnouncements.updateAnnouncement, changed, { announcementId: id });
    const [after] = await shown();
    expect(after?.text).toBe("Maintenance is under way");
    expect(after?.changed_at).not.toBe(before?.changed_at);
    testApp.clock.advance(10 * 60_000);
    expect(await shown()).toEqual([]);
  });

  test("end when they are deleted; an end before the beginning is refused", async () => {
    const body = { level: "info", en: "Hello", ru: "Привет", starts_at: at(0), reason };
    const wrong = await act(staffAnnouncements.createAnnouncement, { ...body, ends_at: at(-1) });
    expect([wrong.statusCode, wrong.json().issues[0].path]).toEqual([422, "ends_at"]);
    const created = await act(staffAnnouncements.createAnnouncement, { ...body, ends_at: null });
    expect(await shown()).toHaveLength(1);
    const { id } = created.json().announcement;
    await act(staffAnnouncements.deleteAnnouncement, { reason }, { announcementId: id });
    expect(await shown()).toEqual([]);
    const again = await act(
      staffAnnouncements.deleteAnnouncement,
      { reason },
      { announcementId: id },
    );
    expect(again.statusCode).toBe(404);
  });
});
