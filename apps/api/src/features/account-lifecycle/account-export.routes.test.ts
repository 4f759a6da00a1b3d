import { routes } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "#src/platform/database/ids.ts";
import { profileBody } from "#src/test-support/account-samples.ts";
import { deletedShieldOf, tablesBelowUsers } from "#src/test-support/account-traces.ts";
import { asOwner, queryPlan } from "#src/test-support/query-plan.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { giveMoney } from "#src/test-support/test-money.ts";
import { createShield } from "#src/test-support/test-shields.ts";
import { call, createUser, expectStatus, type TestUser } from "#src/test-support/test-users.ts";
import { addNote, addTicket } from "#src/test-support/ticket-samples.ts";
import { createTestWorld, type TestWorld } from "#src/test-support/test-world.ts";
import { insertHours } from "#src/test-support/test-telemetry.ts";
import { exportParts } from "./account-export.repository.ts";

let testApp: TestApp;
let world: TestWorld;
beforeAll(async () => {
  testApp = await createTestApp();
  world = await createTestWorld(testApp);
});
afterAll(() => testApp?.close());

describe("export", () => {
  const exported = ({ token }: Pick<TestUser, "token">) =>
    call(testApp, routes.account.exportAccount, { token });

  test("has what is kept about the caller, without secrets and without others", async () => {
    const user = await createUser(testApp);
    await call(testApp, routes.account.updateProfile, { token: user.token, body: profileBody });
    const key = await call(testApp, routes.account.regenerateApiKey, { token: user.token });
    await giveMoney(testApp, user, 700);
    const { id: ticketId } = await addTicket(testApp, user.id);
    await addNote(testApp, ticketId, "A note of staff");
    const answer = await expectStatus(exported(user), 200);
    const { account } = routes.account.exportAccount.response.parse(answer.json());
    expect(account).toMatchObject({
      user: { email: user.email, privacy_version: expect.any(String) },
      profile: { city: "Berlin" },
      sessions: [{ ip: expect.any(String) }],
      ledger: [{ account: "cash", cents: "700" }],
      shields: [],
      tickets: [{ id: ticketId, subject: expect.any(String) }],
      ticket_messages: [{ ticket_id: ticketId, is_admin: false }],
      ticket_attachments: [{ original_name: "screen.png" }],
    });
    expect(answer.body).not.toContain("A note of staff");
    expect(answer.body).not.toContain(String(key.json().api_key).slice(4));
    expect(answer.body).not.toMatch(/hash|sealed|secret/);
    expect(answer.body).not.toContain(world.owner.email);
  });

  test("has what belongs to their shields, and the record of calls about their address", async () => {
    const user = await createUser(testApp);
    const shield = await deletedShieldOf(testApp, user, "mitnehmbar");
    await expectStatus(
      call(testApp, routes.passwordReset.forgotPassword, { body: { email: user.email } }),
      200,
    );
    const { db } = testApp.platform;
    const hour = testApp.clock.now();
    const counted = { joins: "7", refused: "1", bytes_up: "1", bytes_down: "2" };
    await insertHours(db, [
      {
        shield_id: shield.id,
        start: hour,
        ...counted,
        player_seconds: "3",
        reasons: JSON.stringify({ "r:blacklist": 1 }),
      },
    ]);
    const picture = Buffer.alloc(90, 7);
    await db
      .updateTable("shield_messages")
      .set({ offline_image: picture })
      .where("shield_id", "=", shield.id)
      .execute();
    const { account } = (await expectStatus(exported(user), 200)).json();
    expect(account.messages[0]).toMatchObject({
      offline_image: `data:image/png;base64,${picture.toString("base64")}`,
    });
    expect(account.messages[0]).not.toHaveProperty("version");
    expect(account).toMatchObject({
      shields: [{ automatic_renewal: expect.any(Boolean), include_balance: expect.any(Boolean) }],
      backend_groups: [{ shield_id: shield.id, proxy_protocol: false }],
      firewalls: [{ whitelist_only: false }],
      firewall_entries: [{ list: "whitelist", address: expect.stringContaining("198.51.100.77") }],
      firewall_names: [
        { list: "whitelist", name: "Exported_1", note: "Note of mitnehmbar", expires_at: null },
      ],
      messages: [{ motd_line1: "mitnehmbar" }],
      traffic: [{ joins: "7" }],
      refusals: [{ reason: "blacklist", count: "1" }],
    });
    const record = account.audit_log as Record<string, unknown>[];
    expect(record).toContainEqual(
      expect.objectContaining({
        endpoint: "/api/v1/servers",
        credential: `session:${account.sessions[0].id}`,
        duration_ms: expect.any(Number),
      }),
    );
    expect(record.some(({ endpoint }) => endpoint === "/api/v1/auth/forgot-password")).toBe(true);
  });

  test("reads of each busy shield no more logins than it may have", async () => {
    const owner = await createUser(testApp);
    for (let n = 0; n < 2; n += 1) {
      const { id } = await createShield(testApp, owner);
      await sql`
        insert into login_entries (id, shield_id, at, edge_id, verdict, shadow, player, ip,
          protocol, host, trace, facts)
        select gen_random_uuid(), ${id}::uuid, now() - n * interval '2 seconds', gen_random_uuid(),
          'joined', false, 'Notch', '203.0.113.7', 765, '', '7K3M9QXW', '{}'
        from generate_series(1, 20000) n
      `.execute(testApp.platform.db);
    }
    await asOwner(testApp, (client) => client.query("analyze login_entries"));
    const subject = { userId: owner.id, emailKey: "", addressChains: [] };
    const { logins } = exportParts;
    const plan = await queryPlan(testApp, (db) => logins?.(db, subject) ?? Promise.resolve());
    expect(plan).toMatch(/Nested Loop[^]*Limit[^]*Index Scan Backward/);
    const rows = await logins?.(testApp.platform.db, subject);
    expect(rows).toHaveLength(10_000);
  });

  test("names every table of the database that names a user, or it says here why not", async () => {
    const notExported = new Set([
      // Made of the settings that are exported, for our edges and by them.
      "shield_configs",
      "shield_revisions",
      "edge_acks",
      "shield_settings",
      // Rows of this minute and of the last hours: only the hours are exported.
      "live_gauges",
      "backend_health",
      "bedrock_health",
      // Whether players are sent to an address; the addresses are those of the backends.
      "backend_proofs",
      // Shown by the owner's own server to anyone who asks it.
      "backend_favicons",
      "shield_left_locations",
      // It is about the whole installation, and names staff alone.
      "purchase_freezes",
      // Prices that were held for minutes.
      "plan_change_quotes",
      // Notices of the traffic that were sent.
      "traffic_months",
      // In attacks, put together.
      "attack_parts",
      "attack_events",
      // Addresses of attackers and counts, for 30 days.
      "attack_part_details",
      // When a link was made, and until when it is valid.
      "attack_shares",
      // Notices of 30 days: the events themselves are in attacks, domains, history and the like.
      "notification_events",
      "webhook_deliveries",
      // Whether they were told of the backend.
      "backend_watches",
      "bedrock_watches",
      // The sum of the ledger.
      "ledger_balances",
      "backup_codes",
      // Staff members at their work: what they did and saw is in staff_actions.
      "staff_views",
      "ticket_readers",
      // The provider's names of what saved_cards shows.
      "payment_customers",
      "card_setups",
      // Secrets and codes of minutes: what they are about is in user, and nothing else.
      "two_factor",
      "two_factor_guesses",
      "password_resets",
      "live_tokens",
      "passkey_challenges",
      "email_confirmations",
    ]);
    const partOf: Record<string, string> = {
      profiles: "profile",
      shield_members: "memberships",
      shield_changes: "history",
      payment_intents: "payments",
      ledger_accounts: "ledger",
      ledger_postings: "ledger",
      shield_domains: "domains",
      shield_firewalls: "firewalls",
      shield_messages: "messages",
      shield_caching: "caching",
      shield_bedrock: "bedrock",
      shield_notifications: "notifications",
      shield_webhooks: "webhooks",
      shield_mitigation: "mitigation",
      shield_try_addresses: "try_addresses",
    };
    const tables = await tablesBelowUsers(testApp);
    const missing = tables.filter(
      (table) => !notExported.has(table) && !((partOf[table] ?? table) in exportParts),
    );
    expect(missing).toEqual([]);
  });

  test("has the user's own invitations, by account and by address, and no others", async () => {
    const user = await createUser(testApp);
    const { id: shieldId } = await createShield(testApp, world.owner);
    const now = testApp.clock.now();
    const emailKey = user.email.toLowerCase();
    for (const [typed, key, user_id] of [
      [user.email, emailKey, null],
      ["Nickname", "nickname", user.id],
      ["other@example.com", "other@example.com", null],
    ] as const) {
      await testApp.platform.db
        .insertInto("shield_invitations")
        .values({
          id: newId(),
          shield_id: shieldId,
          kind: typed.includes("@") ? "email" : "username",
          typed,
          typed_key: key,
          user_id,
          token_hash: newId(),
          created_at: now,
          expires_at: new Date(now.getTime() + 86_400_000),
        })
        .execute();
    }
    const { account } = (await expectStatus(exported(user), 200)).json();
    const received = account.invitations_received as { typed: string; shield_id: string }[];
    expect(received.map(({ typed }) => typed).toSorted()).toEqual(
      ["Nickname", user.email].toSorted(),
    );
    expect(new Set(received.map(({ shield_id }) => shield_id))).toEqual(new Set([shieldId]));
  });

  test("wants recent authentication", async () => {
    const user = await createUser(testApp);
    testApp.clock.advance(600_000);
    expect((await exported(user)).json().code).toBe("step_up_required");
  });
});
