import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyAuditLog } from "#src/features/audit/audit.service.ts";
import { charge } from "#src/features/ledger/ledger.service.ts";
import { profileBody } from "#src/test-support/account-samples.ts";
import { deletedShieldOf, tablesBelowUsers } from "#src/test-support/account-traces.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { inviteByMail } from "#src/test-support/test-invitations.ts";
import { giveMoney, requireWholeLedger } from "#src/test-support/test-money.ts";
import { beginTopUp, press } from "#src/test-support/test-payments.ts";
import { addMember } from "#src/test-support/test-shields.ts";
import { addTicket } from "#src/test-support/ticket-samples.ts";
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
    const ticket = await addTicket(testApp, user.id, { text: "Unverwechselbar" });
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
    // The number of the ticket stays for statistics.
    const { rows: left } = await sql<{ found: string }>`
      select t::text || coalesce((select string_agg(m::text, '') from ticket_messages m), '')
        || coalesce((select string_agg(a::text, '') from ticket_attachments a), '') as found
      from tickets t where id = ${ticket.id}
    `.execute(testApp.platform.db);
    expect(left).toHaveLength(1);
    expect(JSON.stringify(left)).not.toMatch(/Unverwechselbar|screen\.png/);
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
    const shield = await deletedShieldOf(testApp, user, word);
    await expectStatus(remove(user), 200);
    for (const table of ["users", ...(await tablesBelowUsers(testApp))]) {
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
    expect((await verifyAuditLog(testApp.platform.db, testApp.platform.config)).breaks).toEqual([]);
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
        "Your balance is 12.34 €. Spend it or contact support first",
      ]);
      await requireWholeLedger(testApp);
    });

    test("while a payment is under way", async () => {
      const user = await createUser(testApp);
      await beginTopUp(testApp, user, { amount: 5 });
      const answer = await remove(user);
      expect([answer.statusCode, answer.json().message]).toEqual([
        409,
        "A payment is still in progress. Try again once it is finished",
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

  test("the database refuses rows that refer to a deleted person", async () => {
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
