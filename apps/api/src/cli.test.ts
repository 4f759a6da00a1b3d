import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import pg from "pg";
import { addPasskey } from "#src/test-support/test-authenticator.ts";
import { markAuditLog } from "#src/features/audit/audit.service.ts";
import { runCommandLine, runCommandProcess } from "#src/test-support/command-line.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createTwoFactorUser } from "#src/test-support/test-two-factor.ts";
import { call, createUser, logIn, mailsTo } from "#src/test-support/test-users.ts";
import { accountTwoFactorOffCommand } from "#src/cli/account-two-factor-off.command.ts";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp?.close());

const home = path.join(import.meta.dirname, "../node_modules/.cli-test");

function palisade(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  return runCommandLine(testApp, args, { PALISADE_HOME: home, ...environment });
}

/** The program itself. */
function program(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  return runCommandProcess(testApp, args, { PALISADE_HOME: home, ...environment });
}

describe("the command line", () => {
  test("without a command it says what there is", async () => {
    const help = await program([]);
    expect(help.code).toBe(0);
    for (const name of [
      "migrate",
      "staff add <email>",
      "staff remove <email>",
      "account two-factor-off <email>",
      "audit verify",
      "edge invite",
      "ledger credit <email> <euros>",
      "ledger verify",
      "promo add <CODE> --percent",
    ]) {
      expect(help.stdout).toContain(name);
    }
  });

  test("an unknown command is wrong usage", async () => {
    const outcome = await program(["staff", "fire"]);
    expect(outcome).toMatchObject({ code: 2, stdout: "" });
    expect(outcome.stderr).toContain("There is no command staff fire");
  });

  test("migrate may run again, and again at once", async () => {
    const environment = { DATABASE_MIGRATE_URL: testApp.ownerUrl };
    const outcomes = await Promise.all([
      program(["migrate"], environment),
      program(["migrate"], environment),
    ]);
    for (const outcome of outcomes) {
      expect(outcome).toEqual({ code: 0, stdout: "The database is up to date\n", stderr: "" });
    }
  });

  test("migrate without the owner's URL says what is missing", async () => {
    const outcome = await program(["migrate"]);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain("DATABASE_MIGRATE_URL must be set");
  });

  test("staff add makes an account staff, on its record, and refuses who is unknown", async () => {
    const user = await createUser(testApp);
    expect(await palisade(["staff", "add", user.email.toUpperCase()])).toMatchObject({ code: 0 });
    const current = await call(testApp, routes.auth.user, { token: user.token });
    expect(current.json().user.role).toBe("staff");
    const row = await testApp.platform.db
      .selectFrom("audit_log")
      .select(["method", "endpoint"])
      .where("chain", "=", `user:${user.id}`)
      .where("actor_kind", "=", "system")
      .execute();
    expect(row).toEqual([{ method: "CLI", endpoint: "staff add" }]);
    expect(current.json().user.staff_roles).toEqual(["admin"]);

    const narrowed = await palisade(["staff", "add", user.email, "billing", "support"]);
    expect(narrowed).toMatchObject({ code: 0, stderr: "" });
    const later = await call(testApp, routes.auth.user, { token: user.token });
    expect(later.json().user.staff_roles).toEqual(["support", "billing"]);
    const nonsense = await palisade(["staff", "add", user.email, "boss"]);
    expect(nonsense.code).toBe(2);
    expect(nonsense.stderr).toContain("boss is no role: give support, billing, operations, admin");

    const unknown = await palisade(["staff", "add", "unknown@example.com"]);
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain("There is no account unknown@example.com");
    expect((await palisade(["staff", "add"])).code).toBe(2);
  });

  test("staff remove makes them a customer, ends sessions, on record, and refuses who is no staff", async () => {
    const user = await createUser(testApp);
    expect(await palisade(["staff", "add", user.email])).toMatchObject({ code: 0 });
    const removed = await palisade(["staff", "remove", user.email.toUpperCase()]);
    expect(removed).toMatchObject({ code: 0, stderr: "" });
    const before = await call(testApp, routes.auth.user, { token: user.token });
    expect(before.statusCode).toBe(401);
    const { token } = await logIn(testApp, user.email);
    const current = await call(testApp, routes.auth.user, { token });
    expect(current.json().user.role).toBe("customer");
    const rows = await testApp.platform.db
      .selectFrom("audit_log")
      .select(["method", "endpoint"])
      .where("chain", "=", `user:${user.id}`)
      .where("actor_kind", "=", "system")
      .orderBy("seq")
      .execute();
    expect(rows.at(-1)).toEqual({ method: "CLI", endpoint: "staff remove" });

    const again = await palisade(["staff", "remove", user.email]);
    expect(again).toMatchObject({ code: 1, stderr: `${user.email} is not staff\n` });
    const unknown = await palisade(["staff", "remove", "unknown@example.com"]);
    expect(unknown).toMatchObject({ code: 1, stderr: "There is no account unknown@example.com\n" });
  });

  test("sessions end logs one account out, or all of them, and is on record", async () => {
    const [one, other] = [await createUser(testApp), await createUser(testApp)];
    const statusOf = async ({ token }: { readonly token: string }) =>
      (await call(testApp, routes.auth.user, { token })).statusCode;
    expect(await palisade(["sessions", "end", one.email.toUpperCase()])).toMatchObject({ code: 0 });
    expect([await statusOf(one), await statusOf(other)]).toEqual([401, 200]);
    expect(await palisade(["sessions", "end", "--all"])).toMatchObject({ code: 0 });
    expect(await statusOf(other)).toBe(401);
    const rows = await testApp.platform.db
      .selectFrom("audit_log")
      .select("chain")
      .where("endpoint", "=", "sessions end")
      .orderBy("seq")
      .execute();
    expect(rows.map(({ chain }) => chain)).toEqual([`user:${one.id}`, "system"]);
    const unknown = await palisade(["sessions", "end", "unknown@example.com"]);
    expect(unknown).toMatchObject({ code: 1, stderr: "There is no account unknown@example.com\n" });
  });

  test("account two-factor-off lets an owner in by password, ends sessions, tells them and is on record", async () => {
    const user = await createTwoFactorUser(testApp);
    await addPasskey(testApp, user);
    const email = "whose-is-this@example.com";
    await call(testApp, routes.account.updateEmail, {
      token: user.token,
      body: { email, email_confirmation: email },
    });
    const off = await palisade(["account", "two-factor-off", user.email.toUpperCase()]);
    expect(off).toMatchObject({ code: 0, stderr: "" });
    const before = await call(testApp, routes.auth.user, { token: user.token });
    expect(before.statusCode).toBe(401);
    const { token } = await logIn(testApp, user.email);
    const current = await call(testApp, routes.auth.user, { token });
    expect(current.json().user.two_factor_enabled).toBe(false);

    const { db } = testApp.platform;
    const codes = await db
      .selectFrom("backup_codes")
      .select("code_hash")
      .where("user_id", "=", user.id)
      .execute();
    expect(codes).toEqual([]);
    const { passkeys } = (await call(testApp, routes.passkeys.listPasskeys, { token })).json();
    expect(passkeys).toEqual([]);
    const link = db.selectFrom("email_changes").select("email").where("user_id", "=", user.id);
    expect(await link.execute()).toEqual([]);
    const row = await db
      .selectFrom("audit_log")
      .select(["method", "endpoint"])
      .where("chain", "=", `user:${user.id}`)
      .where("actor_kind", "=", "system")
      .execute();
    expect(row).toEqual([{ method: "CLI", endpoint: "account two-factor-off" }]);
    const mail = await until(async () =>
      (await mailsTo(testApp, user.email)).find(({ subject }) => subject.includes("turned off")),
    );
    expect(mail.text_body).toContain("password alone is enough");
    expect(mail.text_body).not.toContain("IP address");

    const again = await palisade(["account", "two-factor-off", user.email]);
    expect(again).toMatchObject({
      code: 1,
      stderr: `${user.email} has neither two-factor nor passkeys\n`,
    });
    const unknown = await palisade(["account", "two-factor-off", "unknown@example.com"]);
    expect(unknown).toMatchObject({ code: 1, stderr: "There is no account unknown@example.com\n" });
    await expect(accountTwoFactorOffCommand.run([])).rejects.toMatchObject({ exitCode: 2 });
  });

  test("audit verify tells whole chains from broken ones by its exit code", async () => {
    const { db, config } = testApp.platform;
    await markAuditLog(db, config, testApp.clock.now());
    const whole = await palisade(["audit", "verify"]);
    expect(whole).toMatchObject({ code: 0, stderr: "" });
    const [, mark = ""] =
      /^\d+ rows in \d+ chains: every chain is whole\nThe newest mark is (\d+:.+)\n$/.exec(
        whole.stdout,
      ) ?? [];
    expect(await palisade(["audit", "verify", mark])).toMatchObject({ code: 0 });
    const missing = await palisade(["audit", "verify", `${mark}x`]);
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain(`marks: the mark ${mark}x is missing`);
    const owner = new pg.Client({ connectionString: testApp.ownerUrl });
    await owner.connect();
    await owner.query("update audit_log set ip = '192.0.2.99' where seq = 1");
    await owner.end();
    const broken = await palisade(["audit", "verify"]);
    expect(broken.code).toBe(1);
    expect(broken.stderr).toContain("row 1 was changed");
  });

  test("no command works as a role that could rewrite the record", async () => {
    const outcome = await palisade(["audit", "verify"], { DATABASE_URL: testApp.ownerUrl });
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain("could change or remove rows");
  });
});
