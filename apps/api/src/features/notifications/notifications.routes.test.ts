import { randomUUID } from "node:crypto";
import type { AttackReport } from "@palisade/contract/edge/telemetry";
import { roleRights, type Rights } from "@palisade/contract/http/member-rights";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { closeSilentAttacks } from "#src/features/attacks/attack-reports.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  addMember,
  createShield,
  enrolEdge,
  type TestEdge,
  firstBackend,
} from "#src/test-support/test-shields.ts";
import {
  call,
  createStaff,
  createUser,
  expectStatus,
  mailsTo,
  type TestUser,
} from "#src/test-support/test-users.ts";
import { createWebhookReceiver, type WebhookReceiver } from "#src/test-support/webhook-receiver.ts";
import { emptyReport } from "#src/test-support/test-telemetry.ts";

let testApp: TestApp;
let edge: TestEdge;
let staff: TestUser;
let owner: TestUser;
let id: string;
let receiver: WebhookReceiver;
const logLines: string[] = [];

const { notifications, webhooks } = routes;

beforeAll(async () => {
  testApp = await createTestApp({ onLog: (line) => logLines.push(line) });
  // Edges and the database tell real time.
  testApp.clock.set(new Date());
  await sql`delete from jobs.schedule`.execute(testApp.platform.db);
  staff = await createStaff(testApp);
  edge = await enrolEdge(testApp, staff, { name: "one" });
});
beforeEach(async () => {
  owner = await createUser(testApp);
  ({ id } = await createShield(testApp, owner));
  receiver = await createWebhookReceiver();
  return () => receiver.close();
});
afterAll(() => testApp?.close());

async function add(body: object, status = 201) {
  const answer = await call(testApp, webhooks.addWebhook, {
    token: owner.token,
    params: { id },
    body,
  });
  expect([answer.statusCode, status === 201 ? "" : answer.body]).toEqual([
    status,
    status === 201 ? "" : expect.anything(),
  ]);
  return answer.json();
}

async function settings(body: object) {
  const answer = await call(testApp, notifications.updateNotifications, {
    token: owner.token,
    params: { id },
    body,
  });
  return answer;
}

async function deliveries(webhookId: string) {
  const answer = await expectStatus(
    call(testApp, webhooks.listWebhookDeliveries, {
      token: owner.token,
      params: { id, webhookId },
    }),
    200,
  );
  return webhooks.listWebhookDeliveries.response.parse(answer.json()).data;
}

let seq = 0;
const bootId = randomUUID();

async function report(attack: Partial<AttackReport>): Promise<void> {
  seq += 1;
  const body = {
    boot_id: bootId,
    seq,
    ...emptyReport,
    attacks: [
      {
        id: randomUUID(),
        shield_id: id,
        started_at: new Date(testApp.clock.nowMs() - 60_000).toISOString(),
        ended_at: null,
        peak_per_second: 240,
        sources: 12,
        refused: { rate: 310 },
        relaxed_to: null,
        ...attack,
      },
    ],
  };
  await expectStatus(call(testApp, routes.edge.telemetry, { token: edge.credential, body }), 200);
}

/** As if nothing more was heard of the attack for so long that its end is certain. */
async function rest(): Promise<void> {
  await sql`update attack_parts set heard_at = heard_at - interval '46 seconds'`.execute(
    testApp.platform.db,
  );
  await closeSilentAttacks(testApp.platform.db);
}

const bodies = () => receiver.received.map(({ body }) => JSON.parse(body));

describe("an attack", () => {
  test("is told to webhook and mailbox at its start and end, with the same figures", async () => {
    await add({ url: `${receiver.origin}/hook` });
    await settings({ attack_started_msg: "{server}: {peak} a second!" });
    const attack = { id: randomUUID() };
    await report(attack);
    await report(attack);
    await until(() => receiver.received.length === 1);
    const endedAt = new Date(testApp.clock.nowMs() - 5_000).toISOString();
    await report({ ...attack, ended_at: endedAt, peak_per_second: 500, refused: { rate: 900 } });
    await rest();
    await until(() => receiver.received.length === 2);
    expect(bodies()).toMatchObject([
      {
        type: "attack.started",
        data: {
          server_id: id,
          peak_per_second: 240,
          refused_total: 310,
          message: expect.stringMatching(/^[^{}]+: 240 a second!$/),
        },
      },
      {
        type: "attack.ended",
        data: {
          ended_at: endedAt,
          peak_per_second: 500,
          refused: { rate: 900 },
          refused_total: 900,
        },
      },
    ]);
    const mails = await until(async () => {
      const found = await mailsTo(testApp, owner.email);
      return found.filter(({ subject }) => subject.includes("ttack")).length === 2 && found;
    });
    const [start, end] = mails.filter(({ subject }) => subject.includes("ttack"));
    expect(start?.text_body).toContain("240 a second!");
    expect(end?.text_body).toContain("900");
    expect(end?.text_body).toContain("500");
  });

  test("a relaxed level is told once", async () => {
    await add({ url: `${receiver.origin}/hook`, events: ["attack.level_relaxed"] });
    const attack = { id: randomUUID(), relaxed_to: "medium" as const };
    await report(attack);
    await report({ ...attack, relaxed_to: "low" });
    await until(() => receiver.received.length === 1);
    await rest();
    expect(bodies()).toMatchObject([
      { type: "attack.level_relaxed", data: { relaxed_to: "medium" } },
    ]);
  });

  test("in quiet hours is mailed when they are over, in one mail, and sent to webhooks at once", async () => {
    await add({ url: `${receiver.origin}/hook` });
    const now = testApp.clock.now();
    const clockTime = (at: Date) => at.toISOString().slice(11, 16);
    const until7 = new Date(now.getTime() + 3 * 3_600_000);
    const from = new Date(now.getTime() - 3_600_000);
    await expectStatus(
      settings({ quiet_hours: { from: clockTime(from), until: clockTime(until7) } }),
      200,
    );
    const attack = { id: randomUUID() };
    await report(attack);
    await report({ ...attack, ended_at: new Date(testApp.clock.nowMs() - 5_000).toISOString() });
    await rest();
    await until(() => receiver.received.length === 2);
    const before = (await mailsTo(testApp, owner.email)).length;
    await testApp.runJob("notifications.send");
    expect((await mailsTo(testApp, owner.email)).length).toBe(before);
    testApp.clock.advance(3 * 3_600_000 + 60_000);
    await testApp.runJob("notifications.send");
    const mails = await until(async () => {
      const found = await mailsTo(testApp, owner.email);
      return found.length > before && found.slice(before);
    });
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining("2 events")]);
    testApp.clock.set(now);
  });

  test("is told to no one where both are off, and mails and webhooks get chosen events only", async () => {
    await add({ url: `${receiver.origin}/started`, events: ["attack.started"] });
    await settings({ email_notifications: false });
    const attack = { id: randomUUID() };
    await report(attack);
    await until(() => receiver.received.length === 1);
    await settings({ webhook_notifications: false });
    await report({ ...attack, ended_at: new Date(testApp.clock.nowMs() - 5_000).toISOString() });
    await rest();
    await testApp.runJob("notifications.send");
    expect(receiver.received.map(({ url }) => url)).toEqual(["/started"]);
    const mails = await mailsTo(testApp, owner.email);
    expect(mails.filter(({ subject }) => subject.includes("ttack"))).toEqual([]);
  });

  test("is not tried again once webhooks are switched off", async () => {
    receiver.answer((response) => response.writeHead(503).end());
    const { webhook } = await add({ url: `${receiver.origin}/hook` });
    await report({});
    await until(async () => (await deliveries(webhook.id))[0]?.status === 503);
    await settings({ webhook_notifications: false });
    expect(await deliveries(webhook.id)).toMatchObject([
      { state: "failed", attempts: 1, next_attempt_at: null },
    ]);
  });
});

describe("a webhook", () => {
  test("shows its secret once, and its address masked; neither is in the log or the audit log", async () => {
    const url = "https://hooks.example.com/services/canary-of-an-address-1234";
    const { webhook, secret } = await add({ url });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook.url).toBe("https://hooks.example.com/…1234");
    const listed = await call(testApp, webhooks.listWebhooks, {
      token: owner.token,
      params: { id },
    });
    const rows = await sql<{ text: string }>`
      select a::text as text from audit_log a union all select c::text from shield_changes c
      union all select w::text from shield_webhooks w
    `.execute(testApp.platform.db);
    const seen = [listed.body, ...rows.rows.map(({ text }) => text), ...logLines].join();
    expect(seen).not.toContain("canary-of-an-address");
    expect(seen).not.toContain(secret);
  });

  test.each([
    [{ url: "" }, "webhook.url_required"],
    [{ url: "hooks.example.com" }, "webhook.url_of_format"],
    [{ url: "https://user:pass@hooks.example.com/" }, "webhook.url_of_format"],
    [{ url: "https://10.0.0.1/hook" }, "webhook.private"],
    [{ url: "https://[fd00::1]/hook" }, "webhook.private"],
    [{ url: "https://2886729729/hook" }, "webhook.private"],
    [{ url: "https://example.com/api/webhooks/1/x", format: "discord" }, "webhook.url_of_format"],
    [{ url: "https://hooks.slack.com/services/T/B", format: "slack" }, "webhook.url_of_format"],
    [
      { url: "https://api.telegram.org/bot1:x/sendMessage", format: "telegram" },
      "webhook.url_of_format",
    ],
    [{ url: "https://hooks.example.com/", events: [] }, "notification.events_required"],
  ])("%j is refused", async (body, code) => {
    const { issues } = await add(body, 422);
    expect(issues.map((issue: { code: string }) => issue.code)).toEqual([code]);
  });

  test.each([
    ["discord", "https://discord.com/api/webhooks/123/abc_DEF-9"],
    ["slack", "https://hooks.slack.com/services/T0/B0/abc"],
    ["telegram", "https://api.telegram.org/bot12:a-B_c/sendMessage?chat_id=-100200"],
  ])("of %s has the address that its service gives, and no secret of ours", async (format, url) => {
    const { webhook, secret } = await add({ url, format });
    expect([webhook.format, secret]).toEqual([format, null]);
  });

  test("there are ten at most", async () => {
    for (let count = 0; count < 10; count += 1) await add({ url: "https://hooks.example.com/" });
    expect((await add({ url: "https://hooks.example.com/" }, 422)).code).toBe("list_full");
  });

  test("its test says what its receiver answered, and can be sent again with the same id", async () => {
    receiver.answer((response) => response.writeHead(503).end("<script>away</script>"));
    const { webhook } = await add({ url: `${receiver.origin}/hook` });
    const params = { id, webhookId: webhook.id };
    await expectStatus(call(testApp, webhooks.testWebhook, { token: owner.token, params }), 201);
    const [delivery] = await until(async () => {
      const found = await deliveries(webhook.id);
      return found[0]?.state === "failed" && found;
    });
    expect(delivery).toMatchObject({
      type: "webhook.test",
      attempts: 1,
      status: 503,
      next_attempt_at: null,
      answer: "<script>away</script>",
      latency_ms: expect.any(Number),
    });
    receiver.answer((response) => response.writeHead(200).end("ok"));
    const again = { ...params, deliveryId: delivery?.id ?? "" };
    await expectStatus(
      call(testApp, webhooks.redeliverWebhook, { token: owner.token, params: again }),
      200,
    );
    await until(async () => (await deliveries(webhook.id))[0]?.state === "delivered");
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  });

  test("shows members its messages, but not those about what their rights hide", async () => {
    const { webhook } = await add({ url: `${receiver.origin}/hook` });
    const { db } = testApp.platform;
    const kinds = ["webhook.test", "attack.started", "backend.down", "member.joined"] as const;
    for (const kind of [...kinds, "plan.renewed", "traffic.warning"] as const) {
      await db
        .insertInto("webhook_deliveries")
        .values({
          id: newId(),
          webhook_id: webhook.id,
          kind,
          thread: null,
          body: "a body",
          answer: "a body",
          state: "delivered",
          next_at: null,
          created_at: testApp.clock.now(),
        })
        .execute();
    }
    const seenBy = async ({ token }: TestUser) => {
      const params = { id, webhookId: webhook.id };
      const answer = await call(testApp, webhooks.listWebhookDeliveries, { token, params });
      const { data } = webhooks.listWebhookDeliveries.response.parse(answer.json());
      for (const { request, answer: said } of data) expect(said).toBe(request ?? "");
      return data.filter(({ request }) => request !== null).map(({ type }) => type);
    };
    const viewer = await createUser(testApp);
    await addMember(testApp, id, viewer);
    const become = (rights: Rights) =>
      db
        .updateTable("shield_members")
        .set({ member_role: "custom", rights: JSON.stringify(rights) })
        .where("user_id", "=", viewer.id)
        .execute();
    expect(await seenBy(owner)).toHaveLength(6);
    await become(roleRights.viewer);
    expect((await seenBy(viewer)).toSorted()).toEqual(
      ["webhook.test", "attack.started", "backend.down"].toSorted(),
    );
    await become({ ...roleRights.viewer, backends: "none", logs: "none", history: "view" });
    expect((await seenBy(viewer)).toSorted()).toEqual(["member.joined", "webhook.test"]);
  });

  test("is not found by the owner of another shield", async () => {
    const { webhook } = await add({ url: "https://hooks.example.com/" });
    const stranger = await createUser(testApp);
    const theirs = await createShield(testApp, stranger);
    const params = { id: theirs.id, webhookId: webhook.id, deliveryId: randomUUID() };
    for (const route of [
      webhooks.removeWebhook,
      webhooks.rotateWebhookSecret,
      webhooks.testWebhook,
      webhooks.listWebhookDeliveries,
      webhooks.redeliverWebhook,
    ]) {
      const answer = await call(testApp, route, { token: stranger.token, params });
      expect([route.id, answer.statusCode]).toEqual([route.id, 404]);
    }
  });

  test("switched off it gets nothing; a new secret signs beside the former one", async () => {
    const { webhook } = await add({ url: `${receiver.origin}/hook` });
    const params = { id, webhookId: webhook.id };
    const { token } = owner;
    const rotated = await call(testApp, webhooks.rotateWebhookSecret, { token, params });
    expect(rotated.json().webhook.former_secret_until).toBe(
      new Date(testApp.clock.nowMs() + 86_400_000).toISOString(),
    );
    const off = await call(testApp, webhooks.updateWebhook, {
      token,
      params,
      body: { enabled: false },
    });
    expect(off.json().webhook).toMatchObject({ enabled: false, disabled_reason: "owner" });
    await report({});
    await testApp.runJob("notifications.send");
    expect(receiver.received).toEqual([]);
    await call(testApp, webhooks.removeWebhook, { token, params });
    const listed = await call(testApp, webhooks.listWebhooks, { token, params });
    expect(listed.json().webhooks).toEqual([]);
  });
});

describe("settings", () => {
  test("keep what is left out; a stale change is refused; the history says what changed", async () => {
    const { token } = owner;
    const first = await call(testApp, notifications.getNotifications, { token, params: { id } });
    expect(first.json()).toMatchObject({
      email_notifications: true,
      webhook_notifications: true,
      attack_started_msg: "",
      digest: "off",
    });
    const changed = await expectStatus(
      settings({ digest: "daily", time_zone: "Europe/Berlin" }),
      200,
    );
    expect(changed.json()).toMatchObject({
      message: "Notifications updated",
      notifications: { digest: "daily", time_zone: "Europe/Berlin", email_notifications: true },
    });
    const stale = await call(testApp, notifications.updateNotifications, {
      token,
      params: { id },
      body: { digest: "off" },
      headers: { "if-match": String(first.headers["etag"]) },
    });
    expect(stale.statusCode).toBe(412);
    const history = await call(testApp, routes.history.listHistory, { token, params: { id } });
    expect(history.json().data[0]).toMatchObject({ area: "notifications" });
    expect((await settings({ time_zone: "Mars/Olympus" })).json().issues[0].code).toBe(
      "time_zone.invalid",
    );
    expect(
      (await settings({ quiet_hours: { from: "24:00", until: "07:00" } })).json().issues[0].code,
    ).toBe("time_of_day.invalid");
  });
});

describe("backends and edges", () => {
  async function health(
    backendId: string,
    state: "up" | "down",
    table: "backend_health" | "bedrock_health" = "backend_health",
  ): Promise<void> {
    await sql`
      insert into ${sql.table(table)} (edge_id, backend_id, state, players, reported_at)
      values (${edge.id}, ${backendId}, ${state}, 0, clock_timestamp())
      on conflict (edge_id, backend_id) do update set state = ${state}, reported_at = clock_timestamp()
    `.execute(testApp.platform.db);
    await sql`update edges set last_seen_at = clock_timestamp()`.execute(testApp.platform.db);
  }
  const watch = () => testApp.runJob("notifications.watch-backends");
  const passMinute = (watches: "backend_watches" | "bedrock_watches" = "backend_watches") =>
    sql`
      update ${sql.table(watches)} set differs_since = differs_since - interval '61 seconds'
    `.execute(testApp.platform.db);
  test("a backend that is down for a minute is told, and that it is back; a moment is not", async () => {
    await add({ url: `${receiver.origin}/hook`, events: ["backend.down", "backend.up"] });
    const backend = await firstBackend(testApp, id);
    await health(backend, "up");
    await watch();
    await health(backend, "down");
    await watch();
    await health(backend, "up");
    await watch();
    await passMinute();
    await watch();
    for (const state of ["down", "up"] as const) {
      await health(backend, state);
      await watch();
      await passMinute();
      await watch();
    }
    await until(() => receiver.received.length === 2);
    expect(bodies()).toMatchObject([
      {
        type: "backend.down",
        data: { backend_id: backend, address: expect.stringMatching(/:\d+$/) },
      },
      { type: "backend.up", data: { backend_id: backend } },
    ]);
  });

  test("a Bedrock port that is down is told apart from the port for Java, with its own address", async () => {
    await add({ url: `${receiver.origin}/hook`, events: ["backend.down", "backend.up"] });
    const backend = await firstBackend(testApp, id);
    await testApp.platform.db
      .updateTable("backends")
      .set({ bedrock_port: 19_132 })
      .where("id", "=", backend)
      .execute();
    await health(backend, "up");
    await health(backend, "up", "bedrock_health");
    await watch();
    for (const state of ["down", "up"] as const) {
      await health(backend, state, "bedrock_health");
      await watch();
      await passMinute("bedrock_watches");
      await watch();
    }
    await until(() => receiver.received.length === 2);
    const data = { edition: "bedrock", address: expect.stringMatching(/:19132$/) };
    expect(bodies()).toMatchObject([
      { type: "backend.down", data },
      { type: "backend.up", data },
    ]);
  });

  test("a backend about which no edge reports any more is as it was", async () => {
    await add({ url: `${receiver.origin}/hook`, events: ["backend.down", "backend.up"] });
    const { db } = testApp.platform;
    const backend = await firstBackend(testApp, id);
    await health(backend, "up");
    await watch();
    await health(backend, "down");
    await watch();
    const silent = sql`update backend_health set reported_at = reported_at - interval '6 minutes'`;
    await silent.execute(db);
    await passMinute();
    await watch();
    const { rows } = await sql`
      select is_down, differs_since from backend_watches where backend_id = ${backend}
    `.execute(db);
    expect(rows).toEqual([{ is_down: false, differs_since: null }]);
  });

  test("staff are mailed when an edge is lost and when it is back, once, by two checks", async () => {
    const { db } = testApp.platform;
    const look = () => testApp.runJob("notifications.watch-edges");
    const silent = () =>
      sql`update edges set last_seen_at = clock_timestamp() - interval '1 hour'`.execute(db);
    const edgeMails = async () =>
      (await mailsTo(testApp, staff.email))
        .map(({ subject }) => subject)
        .filter((subject) => subject.startsWith("Edge"));
    await sql`update edges set last_seen_at = clock_timestamp()`.execute(db);
    await look();
    await silent();
    await look();
    await look();
    expect(await edgeMails()).toEqual([]);
    await sql`update edge_watches set missed_at = missed_at - interval '60 seconds'`.execute(db);
    await look();
    await look();
    await until(async () => (await edgeMails()).length === 1);
    await sql`update edges set last_seen_at = clock_timestamp()`.execute(db);
    await look();
    await look();
    await until(async () => (await edgeMails()).length === 2);
    expect(await edgeMails()).toEqual(["Edge one is lost", "Edge one is back"]);
  });
});
