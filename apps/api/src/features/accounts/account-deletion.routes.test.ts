import { routes } from "@palisade/contract/http/routes";
import type { Server } from "@palisade/contract/http/servers";
import { until } from "@palisade/testing/until";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyAuditLog } from "#src/features/audit/audit.service.ts";
import { charge } from "#src/features/ledger/ledger.service.ts";
import { newId } from "#src/platform/ids.ts";
import { profileBody } from "#src/test-support/account-samples.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { inviteByMail } from "#src/test-support/test-invitations.ts";
import { giveMoney, requireWholeLedger } from "#src/test-support/test-money.ts";
import { beginTopUp, press } from "#src/test-support/test-payments.ts";
import { addMember, createShield } from "#src/test-support/test-shields.ts";
import {
  call,
  createApiKey,
  createUser,
  expectStatus,
  logIn,
  mailsTo,
  newestCode,
  testPassword,
  type TestUser,
} from "#src/test-support/test-users.ts";
import { createTestWorld, type TestWorld } from "#src/test-support/test-world.ts";
import { hold, untilWaiting } from "#src/test-support/waiting.ts";
import { lockUserWhole, removePerson } from "./account-deletion.repository.ts";
import { exportParts } from "./account-export.repository.ts";

let testApp: TestApp;
let world: TestWorld;
beforeAll(async () => {
  testApp = await createTestApp();
  world = await createTestWorld(testApp);
});
afterAll(() => testApp?.close());

function remove({ token, email }: Pick<TestUser, "token" | "email">, typed = email) {
  return call(testApp, routes.account.deleteAccount, { token, body: { email: typed } });
}

/** Tables of the database that name a user, or something that belongs to one, at whatever remove. */
async function tablesBelowUsers(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with recursive below (id) as (
      select 'users'::regclass::oid
      union
      select c.conrelid from pg_constraint c join below on c.confrelid = below.id
      where c.contype = 'f'
    )
    select id::regclass::text as name from below where id <> 'users'::regclass order by name
  `.execute(testApp.platform.db);
  return rows.map(({ name }) => name);
}

/** A shield with the word in everything its owner may write, by now deleted. */
async function deletedShieldOf(user: TestUser, word: string): Promise<Server> {
  const { token } = user;
  const { db } = testApp.platform;
  const domain = `${word}.example.com`;
  const shield = await createShield(testApp, user, {
    server_name: word,
    domain,
    real_ip: "127.77.77.77",
  });
  const params = { id: shield.id };
  const messages = { offline: { motd_line1: word } };
  await expectStatus(
    call(testApp, routes.serverMessages.updateServerMessages, { token, params, body: messages }),
    200,
  );
  const entry = { type: "whitelist", ip: "198.51.100.77" };
  await expectStatus(
    call(testApp, routes.firewall.addFirewallEntry, { token, params, body: entry }),
    201,
  );
  const now = testApp.clock.now();
  const { cname_record } = shield;
  await db
    .insertInto("domain_proofs")
    .values({ domain, cname_record, user_id: user.id, proven_at: now, supersedes: null })
    .execute();
  await db
    .updateTable("shields")
    .set({ status: "deleted", deleted_at: now })
    .where("id", "=", shield.id)
    .execute();
  return shield;
}

describe("deletion", () => {
  test("removes the person: sessions, keys and every text of theirs end at once", async () => {
    const user = await createUser(testApp);
    const key = await createApiKey(testApp, user, "read");
    await addMember(testApp, world.shieldId, user);
    await inviteByMail(testApp, world.shieldId, user.email);
    await expectStatus(
      call(testApp, routes.account.updateProfile, {
        token: user.token,
        body: { ...profileBody, username: "Traceless", last_name: "Unverwechselbar" },
      }),
      200,
    );
    const answer = await expectStatus(remove(user, ` ${user.email.toUpperCase()} `), 200);
    expect(answer.json().message).toBe("Your account has been deleted");
    for (const token of [user.token, key]) {
      await expectStatus(call(testApp, routes.auth.user, { token }), 401);
    }
    await expectStatus(
      call(testApp, routes.auth.login, { body: { email: user.email, password: testPassword } }),
      422,
    );
    const { rows } = await sql<{ found: string }>`
      select u::text || coalesce((select string_agg(p::text, '') from profiles p), '')
        || coalesce((select string_agg(i::text, '') from shield_invitations i), '') as found
      from users u
    `.execute(testApp.platform.db);
    const everything = JSON.stringify(rows);
    expect(everything).not.toContain(user.email);
    expect(everything).not.toContain("Unverwechselbar");
    const member = await testApp.platform.db
      .selectFrom("shield_members")
      .select("shield_id")
      .where("user_id", "=", user.id)
      .executeTakeFirst();
    expect(member).toBeUndefined();
    await until(async () =>
      (await mailsTo(testApp, user.email)).some(({ subject }) => subject.includes("was deleted")),
    );
  });

  test("leaves of deleted shields no text and no address, only ids and the label", async () => {
    const user = await createUser(testApp);
    const word = "unverkennbar";
    const shield = await deletedShieldOf(user, word);
    await expectStatus(remove(user), 200);
    for (const table of ["users", ...(await tablesBelowUsers())]) {
      const { rows } = await sql<{ found: string }>`
        select coalesce(string_agg(t::text, ' '), '') as found from ${sql.table(table)} t
      `.execute(testApp.platform.db);
      expect(rows[0]?.found, table).not.toMatch(new RegExp(`${word}|77\\.77|100\\.77`));
    }
    const left = await testApp.platform.db
      .selectFrom("cname_reservations")
      .select("shield_id")
      .where("cname_record", "=", shield.cname_record)
      .executeTakeFirst();
    expect(left).toEqual({ shield_id: shield.id });
  });

  test("frees the address and the username, and the record stays whole with this as its end", async () => {
    const user = await createUser(testApp);
    await expectStatus(remove(user), 200);
    const { email } = user;
    const registration = {
      email,
      password: testPassword,
      password_confirmation: testPassword,
      accept_privacy_policy: true,
    };
    await expectStatus(call(testApp, routes.auth.register, { body: registration }), 201);
    const code = await newestCode(testApp, email);
    await expectStatus(call(testApp, routes.auth.verifyEmailCode, { body: { code, email } }), 200);
    expect((await logIn(testApp, email)).id).not.toBe(user.id);
    const last = await until(async () =>
      testApp.platform.db
        .selectFrom("audit_log")
        .select(["endpoint", "response_status", "actor_id"])
        .where("chain", "=", `user:${user.id}`)
        .orderBy("seq", "desc")
        .executeTakeFirst(),
    );
    expect(last).toEqual({
      endpoint: "/api/v1/profile/delete",
      response_status: 200,
      actor_id: user.id,
    });
    expect((await verifyAuditLog(testApp.platform.db)).breaks).toEqual([]);
  });

  test("leaves the books as they are", async () => {
    const user = await createUser(testApp);
    const topUp = await beginTopUp(testApp, user, { amount: 5 });
    await press(testApp, topUp, "pay");
    await expectStatus(
      call(testApp, routes.billing.confirmIntent, {
        token: user.token,
        params: { id: topUp.intent.id },
      }),
      200,
    );
    expect((await remove(user)).statusCode).toBe(409);
    await testApp.platform.db.transaction().execute((trx) =>
      charge(trx, {
        userId: user.id,
        cents: 500,
        businessKey: `test:${user.id}`,
        at: testApp.clock.now(),
      }),
    );
    await expectStatus(remove(user), 200);
    await requireWholeLedger(testApp);
    const intents = await testApp.platform.db
      .selectFrom("payment_intents")
      .select("status")
      .where("user_id", "=", user.id)
      .execute();
    expect(intents).toEqual([{ status: "completed" }]);
  });

  describe("is refused, with the reason", () => {
    test("while there are shields", async () => {
      const answer = await remove(world.owner);
      expect([answer.statusCode, answer.json().code, answer.json().message]).toEqual([
        409,
        "conflict",
        "You still have Game Shields. Delete them first",
      ]);
      await expectStatus(call(testApp, routes.auth.user, { token: world.owner.token }), 200);
    });

    test.each(["cash", "bonus"] as const)("while there is %s", async (kind) => {
      const user = await createUser(testApp);
      await giveMoney(testApp, user, 1_234, kind);
      const answer = await remove(user);
      expect([answer.statusCode, answer.json().message]).toEqual([
        409,
        "There are 12.34 € on your balance. Spend them or ask support first",
      ]);
      await requireWholeLedger(testApp);
    });

    test("while a payment is under way", async () => {
      const user = await createUser(testApp);
      await beginTopUp(testApp, user, { amount: 5 });
      const answer = await remove(user);
      expect([answer.statusCode, answer.json().message]).toEqual([
        409,
        "A payment is still under way. Try again once it is finished",
      ]);
    });

    test("without the right address typed, or without recent authentication", async () => {
      const user = await createUser(testApp);
      const wrong = await remove(user, "other@example.com");
      expect([wrong.statusCode, wrong.json().issues[0]]).toEqual([
        422,
        expect.objectContaining({
          path: "email",
          message: "This is not the e-mail of your account",
        }),
      ]);
      testApp.clock.advance(600_000);
      expect((await remove(user)).json().code).toBe("step_up_required");
      await expectStatus(call(testApp, routes.auth.user, { token: user.token }), 200);
    });
  });

  test("several at once delete once", async () => {
    const user = await createUser(testApp);
    const answers = await Promise.all([remove(user), remove(user), remove(user)]);
    const statuses = answers.map((answer) => answer.statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.every((status) => [200, 401].includes(status))).toBe(true);
  });

  test("calls that were under way come too late, and leave nothing with the account", async () => {
    const user = await createUser(testApp);
    const { token } = user;
    const deleting = await hold(testApp, async (trx) => {
      await lockUserWhole(trx, user.id);
      await removePerson(trx, user.id, { passwordHash: "none", now: testApp.clock.now() });
    });
    const email = "beyond@example.com";
    const { account, twoFactor } = routes;
    const underWay = [
      call(testApp, account.updateProfile, { token, body: profileBody }),
      call(testApp, account.updateNotifications, { token, body: { email_notifications: true } }),
      call(testApp, account.createApiKey, { token, body: { name: "Bot", scope: "write" } }),
      call(testApp, account.regenerateApiKey, { token }),
      call(testApp, account.updateEmail, { token, body: { email, email_confirmation: email } }),
      call(testApp, twoFactor.setUpTwoFactor, { token }),
    ];
    await untilWaiting(testApp, underWay.length);
    await deleting.release();
    for (const answer of await Promise.all(underWay)) expect(answer.statusCode).toBe(401);
    for (const table of ["profiles", "api_keys", "email_changes", "two_factor"] as const) {
      const kept = testApp.platform.db.selectFrom(table).where("user_id", "=", user.id);
      expect(await kept.select("user_id").execute(), table).toEqual([]);
    }
  });

  test("nor does the database take what names somebody who is gone", async () => {
    const { id: user_id, ...user } = await createUser(testApp);
    await expectStatus(remove(user), 200);
    const [{ db }, created_at] = [testApp.platform, testApp.clock.now()];
    const gone = "the account was deleted";
    await expect(db.insertInto("profiles").values({ user_id }).execute()).rejects.toThrow(gone);
    const change = { token_hash: "x", is_usable: true, created_at, expires_at: created_at };
    await expect(
      db
        .insertInto("email_changes")
        .values({ user_id, email: "x@example.com", ...change })
        .execute(),
    ).rejects.toThrow(gone);
    await expect(createApiKey(testApp, { id: user_id, ...user }, "read")).rejects.toThrow(gone);
  });

  test("a checkout begun beside it either keeps the account or is refused", async () => {
    const user = await createUser(testApp);
    const [deleted, checkout] = await Promise.all([
      remove(user),
      call(testApp, routes.billing.createStripeIntent, {
        token: user.token,
        body: { amount: 5, payment_method: "stripe" },
      }),
    ]);
    const row = await testApp.platform.db
      .selectFrom("users")
      .select("deleted_at")
      .where("id", "=", user.id)
      .executeTakeFirstOrThrow();
    expect(row.deleted_at === null).toBe(checkout.statusCode === 201);
    expect(deleted.statusCode === 200).toBe(row.deleted_at !== null);
  });
});

describe("export", () => {
  const exported = ({ token }: Pick<TestUser, "token">) =>
    call(testApp, routes.account.exportAccount, { token });

  test("has what is kept about the caller, without secrets and without others", async () => {
    const user = await createUser(testApp);
    await call(testApp, routes.account.updateProfile, { token: user.token, body: profileBody });
    const key = await call(testApp, routes.account.regenerateApiKey, { token: user.token });
    await giveMoney(testApp, user, 700);
    const answer = await expectStatus(exported(user), 200);
    const { account } = routes.account.exportAccount.response.parse(answer.json());
    expect(account).toMatchObject({
      user: { email: user.email, privacy_version: expect.any(String) },
      profile: { city: "Berlin" },
      sessions: [{ ip: expect.any(String) }],
      ledger: [{ account: "cash", cents: "700" }],
      shields: [],
    });
    expect(answer.body).not.toContain(String(key.json().api_key).slice(4));
    expect(answer.body).not.toMatch(/hash|sealed|secret/);
    expect(answer.body).not.toContain(world.owner.email);
  });

  test("has what belongs to their shields, and the record of calls about their address", async () => {
    const user = await createUser(testApp);
    const shield = await deletedShieldOf(user, "mitnehmbar");
    await expectStatus(
      call(testApp, routes.passwordReset.forgotPassword, { body: { email: user.email } }),
      200,
    );
    const { db } = testApp.platform;
    const hour = testApp.clock.now();
    const of = { shield_id: shield.id, hour };
    const counted = { joins: "7", pings: "0", refused: "1", bytes_up: "1", bytes_down: "2" };
    await db
      .insertInto("traffic_hours")
      .values({ ...of, ...counted, player_seconds: "3" })
      .execute();
    await db
      .insertInto("traffic_refusals")
      .values({ ...of, reason: "blacklist", count: "1" })
      .execute();
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

  test("names every table of the database that names a user, or it says here why not", async () => {
    const notExported = new Set([
      // Made of the settings that are exported, for our edges and by them.
      "shield_configs",
      "shield_revisions",
      "edge_acks",
      // Of this moment, and of the last hours: the hours themselves are exported.
      "live_gauges",
      "backend_health",
      "shield_left_locations",
      "traffic_minutes",
      // The sum of the ledger.
      "ledger_balances",
      "backup_codes",
      // Secrets and codes of minutes: what they are about is in user, and nothing else.
      "two_factor",
      "two_factor_guesses",
      "password_resets",
      "email_confirmations",
    ]);
    const partOf: Record<string, string> = {
      profiles: "profile",
      shield_members: "memberships",
      payment_intents: "payments",
      ledger_accounts: "ledger",
      ledger_postings: "ledger",
      shield_domains: "domains",
      shield_firewalls: "firewalls",
      shield_messages: "messages",
      shield_caching: "caching",
      traffic_hours: "traffic",
      traffic_refusals: "refusals",
    };
    const tables = await tablesBelowUsers();
    const missing = tables.filter(
      (table) => !notExported.has(table) && !((partOf[table] ?? table) in exportParts),
    );
    expect(missing).toEqual([]);
  });

  test("has the invitations to them, by account and by address, and nobody else's", async () => {
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
