import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "#src/platform/database/ids.ts";
import { createPasswords } from "#src/platform/security/passwords.ts";
import { deriveKeys } from "#src/platform/security/derived-key.ts";
import { hashOneTimeCode } from "#src/platform/security/one-time-codes.ts";
import { createBackupCodeHashes } from "./backup-code-hashes.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  authenticatorCode,
  createTwoFactorUser,
  setUpTwoFactor,
  withTwoFactor,
} from "#src/test-support/test-two-factor.ts";
import {
  call,
  createUser,
  expectStatus,
  mailsTo,
  openSession,
  type TestUser,
  steppedUp,
} from "#src/test-support/test-users.ts";
import { backup, twoFactorCalls } from "#src/test-support/two-factor-calls.ts";

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp?.close());

const { twoFactor } = routes;
const minuteMs = 60_000;
const { codeOf, disable, freshUser, login, readCodes, wrongCode } = twoFactorCalls(() => testApp);

const enable = (user: TestUser, code: string) =>
  call(testApp, twoFactor.enableTwoFactor, { token: user.token, body: { code } });

describe("setting two-factor up", () => {
  test("gives a secret, its otpauth address and that as a QR code, and nothing is on yet", async () => {
    const user = await createUser(testApp, "setup+2fa@example.com");
    const answer = await expectStatus(
      call(testApp, twoFactor.setUpTwoFactor, { token: user.token }),
      200,
    );
    const { secret, qr_code, otpauth_url } = twoFactor.setUpTwoFactor.response.parse(answer.json());
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const url = new URL(otpauth_url);
    expect(url.href).toMatch(/^otpauth:\/\/totp\/Palisade:setup/);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      issuer: "Palisade",
      secret,
      algorithm: "SHA1",
      digits: "6",
      period: "30",
    });
    expect(
      Buffer.from(qr_code.replace("data:image/png;base64,", ""), "base64").subarray(1, 4),
    ).toEqual(Buffer.from("PNG"));
    expect((await login(user)).json().requires_two_factor).toBe(false);
  });

  test("is shown with the security page, which leaves nothing in the audit log", async () => {
    const user = await createUser(testApp);
    const { getProfile, listSessions, listApiKeys } = routes.account;
    const opening = [
      getProfile,
      listSessions,
      listApiKeys,
      twoFactor.getBackupCodes,
      twoFactor.setUpTwoFactor,
    ];
    for (const route of opening) {
      await expectStatus(call(testApp, route, { token: user.token }), 200);
    }
    // Rows are written after their answers, in this order: the last call's comes last.
    await expectStatus(call(testApp, routes.auth.logout, { token: user.token }), 200);
    const endpoints = await until(async () => {
      const rows = await testApp.platform.db
        .selectFrom("audit_log")
        .select("endpoint")
        .where("chain", "=", `user:${user.id}`)
        .execute();
      return rows.length > 0 ? rows.map(({ endpoint }) => endpoint) : undefined;
    });
    expect(endpoints).toEqual(["/api/v1/auth/logout"]);
  });

  test("a wrong code, or one of the secret before, switches nothing on", async () => {
    const user = await createUser(testApp);
    expect((await enable(user, "123456")).json()).toMatchObject({ status: 409 });
    const first = await setUpTwoFactor(testApp, user);
    const second = await setUpTwoFactor(testApp, user);
    const old = await enable(user, authenticatorCode(testApp, first));
    expect([old.statusCode, old.json().code]).toEqual([422, "invalid_code"]);
    await expectStatus(enable(user, authenticatorCode(testApp, second)), 200);
  });

  test("once it is on there is no other secret until it is off", async () => {
    const user = await freshUser();
    for (const answer of [
      await call(testApp, twoFactor.setUpTwoFactor, { token: user.token }),
      await enable(user, codeOf(user)),
    ]) {
      expect([answer.statusCode, answer.json().code]).toEqual([409, "conflict"]);
    }
  });

  test("switching it on and off is told by mail and by the current user", async () => {
    const user = await freshUser();
    const current = async () =>
      (await call(testApp, routes.auth.user, { token: user.token })).json().user;
    expect((await current()).two_factor_enabled).toBe(true);
    await expectStatus(disable(user, codeOf(user)), 200);
    expect((await current()).two_factor_enabled).toBe(false);
    const mails = await until(async () => {
      const all = await mailsTo(testApp, user.email);
      return all.length === 2 ? all : undefined;
    });
    expect(mails.map((mail) => mail.subject)).toEqual([
      "Two-factor authentication is on",
      "Two-factor authentication is off",
    ]);
    expect((await login(user)).json()).toHaveProperty("access_token");
    expect((await disable(user, "123456")).statusCode).toBe(409);
  });

  test("one gets codes when two switch it on at once", async () => {
    const user = await createUser(testApp);
    const code = authenticatorCode(testApp, await setUpTwoFactor(testApp, user));
    const answers = await Promise.all([enable(user, code), enable(user, code)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 409,
    ]);
  });
});

describe("backup codes", () => {
  test("are ten of eight characters, to be read for ten minutes and counted afterwards", async () => {
    const user = await createTwoFactorUser(testApp);
    expect(user.backupCodes).toHaveLength(10);
    for (const code of user.backupCodes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
    const madeAt = testApp.clock.now().toISOString();
    await expectStatus(login(user, backup(user, 0)), 200);
    testApp.clock.advance(10 * minuteMs - 1);
    expect(await readCodes(user.token)).toEqual({
      backup_codes: user.backupCodes.slice(1),
      left: 9,
      made_at: madeAt,
    });
    testApp.clock.advance(1);
    expect(await readCodes(user.token)).toEqual({ backup_codes: [], left: 9, made_at: madeAt });
  });

  test("that were made before there were slow hashes are stretched, and go on working once each", async () => {
    const user = await createTwoFactorUser(testApp);
    const { db, config } = testApp.platform;
    const [codeKey] = deriveKeys(config, "backup-codes");
    // As earlier releases kept them.
    await db.deleteFrom("backup_codes").where("user_id", "=", user.id).execute();
    const old = [0, 1].map((index) => hashOneTimeCode(codeKey, user.id, backup(user, index)));
    await db
      .insertInto("backup_codes")
      .values(old.map((code_hash) => ({ user_id: user.id, code_hash, position: null })))
      .execute();
    await db
      .updateTable("two_factor")
      .set({ codes_salt: null })
      .where("user_id", "=", user.id)
      .execute();
    await expectStatus(login(user, backup(user, 0)), 200);
    const passwords = await createPasswords();
    await createBackupCodeHashes({ passwords, codeKeys: [codeKey] }).stretchOld(db);
    const [kept] = await db
      .selectFrom("backup_codes")
      .select("code_hash")
      .where("user_id", "=", user.id)
      .execute();
    expect(kept?.code_hash).toMatch(/^\$argon2id\$/);
    await expectStatus(login(user, backup(user, 1)), 200);
    await expectStatus(login(user, backup(user, 1)), 422);
  });

  test("are not shown to a session that has not proven itself lately", async () => {
    const user = await createUser(testApp);
    const stolen = await openSession(testApp, user);
    testApp.clock.advance(11 * minuteMs);
    const token = await steppedUp(testApp, user);
    await withTwoFactor(testApp, { ...user, token });
    expect((await readCodes(stolen)).backup_codes).toEqual([]);
    expect((await readCodes(token)).backup_codes).toHaveLength(10);
  });

  test("made anew replace the ones before", async () => {
    const user = await freshUser();
    const regenerate = (code: string) =>
      call(testApp, twoFactor.regenerateBackupCodes, { token: user.token, body: { code } });
    expect((await regenerate(wrongCode(user))).json().code).toBe("invalid_code");
    const answer = await expectStatus(regenerate(codeOf(user)), 200);
    const { backup_codes } = twoFactor.regenerateBackupCodes.response.parse(answer.json());
    const mail = await until(async () =>
      (await mailsTo(testApp, user.email)).find(
        ({ subject }) => subject === "New backup codes were made",
      ),
    );
    expect(mail.text_body).toMatch(/^Device: .+\nIP address: 127\.0\.0\.1\nTime: .+ UTC$/m);
    for (const code of backup_codes) expect(mail.text_body).not.toContain(code);
    expect(await readCodes(user.token)).toMatchObject({ backup_codes, left: 10 });
    expect((await login(user, backup(user, 0))).statusCode).toBe(422);
    await expectStatus(login(user, backup_codes[0]), 200);
  });

  test("and the secret are in no table, log or audit row as they are", async () => {
    const lines: string[] = [];
    const logged = await createTestApp({ sharing: testApp, onLog: (line) => lines.push(line) });
    try {
      const user = await withTwoFactor(logged, await createUser(testApp));
      await expectStatus(login(user, backup(user, 0), logged), 200);
      const { db } = testApp.platform;
      const rows = JSON.stringify([
        await db.selectFrom("two_factor").selectAll().execute(),
        await db.selectFrom("backup_codes").selectAll().execute(),
        await db.selectFrom("audit_log").selectAll().execute(),
      ]);
      for (const secret of [user.secret, ...user.backupCodes]) {
        expect(rows).not.toContain(secret);
        expect(lines.join("\n")).not.toContain(secret);
      }
      expect(lines.length).toBeGreaterThan(0);
    } finally {
      await logged.close();
    }
  });
});

describe("staff", () => {
  async function grantStaff(user: TestUser): Promise<void> {
    await testApp.platform.db
      .updateTable("users")
      .set({ role: "staff", staff_roles: ["operations"] })
      .where("id", "=", user.id)
      .execute();
  }
  const staffCall = (user: TestUser) =>
    call(testApp, routes.staffEdges.listEdges, { token: user.token });

  test("may do what staff may only with two-factor on, and are told so", async () => {
    const user = await createUser(testApp);
    await grantStaff(user);
    const answer = await staffCall(user);
    expect([answer.statusCode, answer.json().code]).toEqual([403, "two_factor_required"]);
    const current = await call(testApp, routes.auth.user, { token: user.token });
    expect(current.json().user).toMatchObject({ role: "staff", two_factor_required: true });

    await withTwoFactor(testApp, user);
    await expectStatus(staffCall(user), 200);
    const after = await call(testApp, routes.auth.user, { token: user.token });
    expect(after.json().user.two_factor_required).toBe(false);
  });

  test("have to prove themselves again for a change, not for looking", async () => {
    const user = await freshUser();
    await grantStaff(user);
    testApp.clock.advance(11 * 60_000);
    await expectStatus(staffCall(user), 200);
    const revoke = (token: string) =>
      call(testApp, routes.staffEdges.revokeEdge, {
        token,
        params: { edgeId: newId() },
        body: { reason: "Taken down" },
      });
    const refused = await revoke(user.token);
    expect([refused.statusCode, refused.json().code]).toEqual([403, "step_up_required"]);
    const token = await steppedUp(testApp, user, { code: codeOf(user) });
    await expectStatus(revoke(token), 404);
  });

  test("cannot switch it off", async () => {
    const user = await freshUser();
    await grantStaff(user);
    const answer = await disable(user, codeOf(user));
    expect([answer.statusCode, answer.json().code]).toEqual([403, "forbidden"]);
    await expectStatus(staffCall(user), 200);
  });
});
