import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { addPasskey } from "#src/test-support/test-authenticator.ts";
import { authenticatorCode, createTwoFactorUser } from "#src/test-support/test-two-factor.ts";
import {
  call,
  createUser,
  expectStatus,
  mailsTo,
  testPassword,
  type TestUser,
} from "#src/test-support/test-users.ts";

/** An owner who has lost every passkey gets on with the backup codes of the account. */

const { passkeys, twoFactor, account } = routes;
let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp({ config: { publicUrl: "https://console.palisade.example/" } });
});
afterAll(() => testApp?.close());

const letTimePass = () => testApp.clock.advance(10 * 60_000);
const stepUp = (token: string, body: object) => call(testApp, twoFactor.stepUp, { token, body });
const regenerate = (token: string, body: object = {}) =>
  call(testApp, twoFactor.regenerateBackupCodes, { token, body });
const remove = (token: string, id: string) =>
  call(testApp, passkeys.removePasskey, { token, params: { id } });
const left = async (token: string) =>
  (await expectStatus(call(testApp, twoFactor.getBackupCodes, { token }), 200)).json().left;

/** The session's new token. */
async function stepUpBy({ token }: Pick<TestUser, "token">, code: string): Promise<string> {
  return (await expectStatus(stepUp(token, { code }), 200)).json().access_token;
}

test("the first passkey comes with ten codes, the next ones with none", async () => {
  const user = await createUser(testApp);
  const first = await addPasskey(testApp, user);
  expect(new Set(first.codes).size).toBe(10);
  const answer = await expectStatus(call(testApp, twoFactor.getBackupCodes, user), 200);
  expect(answer.json().backup_codes.toSorted()).toEqual(first.codes.toSorted());
  expect((await addPasskey(testApp, user)).codes).toEqual([]);
  const withCodes = await createTwoFactorUser(testApp);
  expect((await addPasskey(testApp, withCodes)).codes).toEqual([]);
});

test("a code steps up once in place of the passkey, and the owner is told", async () => {
  const user = await createUser(testApp);
  const { id, codes } = await addPasskey(testApp, user);
  letTimePass();
  const [code = ""] = codes;
  const token = await stepUpBy(user, code);
  expect((await stepUp(token, { code })).json().code).toBe("invalid_code");
  expect(await left(token)).toBe(9);
  await until(async () =>
    (await mailsTo(testApp, user.email)).some(({ subject }) =>
      /backup code was used/.test(subject),
    ),
  );
  // The lost one is removed, and with the last factor its codes.
  await expectStatus(remove(token, id), 200);
  expect(await left(token)).toBe(0);
  letTimePass();
  await expectStatus(stepUp(token, { current_password: testPassword }), 200);
});

test("neither the password nor a code of the authenticator stands in for it", async () => {
  const user = await createTwoFactorUser(testApp);
  await addPasskey(testApp, user);
  letTimePass();
  const code = () => authenticatorCode(testApp, user.secret);
  for (const proof of [{ current_password: testPassword }, { code: code() }]) {
    expect((await stepUp(user.token, proof)).statusCode).toBe(422);
  }
  // Otherwise a thief of the authenticator would make codes, or turn them off, and step up.
  for (const answer of [
    await regenerate(user.token, { code: code() }),
    await call(testApp, twoFactor.disableTwoFactor, { ...user, body: { code: code() } }),
  ]) {
    expect([answer.statusCode, answer.json().code]).toEqual([403, "step_up_required"]);
  }
  await expectStatus(stepUp(user.token, { code: user.backupCodes[0] }), 200);
});

test("wrong codes are counted: a stolen session cannot guess one", async () => {
  const user = await createUser(testApp);
  const { codes } = await addPasskey(testApp, user);
  letTimePass();
  const statuses = [];
  for (let guess = 0; guess < 7; guess += 1) {
    statuses.push((await stepUp(user.token, { code: `AAAAAAA${guess}` })).statusCode);
  }
  expect([statuses[0], statuses.at(-1)]).toEqual([422, 429]);
  expect((await stepUp(user.token, { code: codes[0] })).statusCode).toBe(429);
});

test("new codes need a step-up, void the ones before, and outlive two-factor as long as there is a passkey", async () => {
  const user = await createTwoFactorUser(testApp);
  const { id } = await addPasskey(testApp, user);
  letTimePass();
  const token = await stepUpBy(user, user.backupCodes[0] ?? "");
  const made = (await expectStatus(regenerate(token), 200)).json().backup_codes;
  expect((await stepUp(token, { code: user.backupCodes[1] })).statusCode).toBe(422);
  const body = { code: authenticatorCode(testApp, user.secret) };
  await expectStatus(call(testApp, twoFactor.disableTwoFactor, { token, body }), 200);
  expect(await left(token)).toBe(10);
  const renewed = await stepUpBy({ token }, made[0]);
  await expectStatus(call(testApp, account.regenerateApiKey, { token: renewed }), 200);
  await expectStatus(remove(renewed, id), 200);
  expect(await left(renewed)).toBe(0);
});

test("an account with two-factor makes new codes by a code, and is told where it lacks", async () => {
  const user = await createTwoFactorUser(testApp);
  expect((await regenerate(user.token)).json()).toMatchObject({
    status: 422,
    issues: [{ path: "code", code: "step_up.code" }],
  });
  await expectStatus(regenerate(user.token, { code: user.backupCodes[0] }), 200);
});
