import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCertificateStore } from "#src/platform/http/tls/certificate-store.ts";
import { selfSigned } from "#src/platform/http/tls/self-signed.ts";
import { deriveKeys } from "#src/platform/security/derived-key.ts";
import { createSealer } from "#src/platform/security/sealing.ts";
import { createTestApp, testConfig, type TestApp } from "#src/test-support/test-app.ts";
import {
  authenticatorCode,
  createTwoFactorUser,
  type TwoFactorUser,
} from "#src/test-support/test-two-factor.ts";
import { call, expectStatus, openSession } from "#src/test-support/test-users.ts";
import { reencryptSecrets } from "./reencryption.service.ts";

const { secret: oldSecret } = testConfig("");
const newSecret = "the next secret of this installation";

let before: TestApp;
let rotating: TestApp;
let after: TestApp;
let user: TwoFactorUser;
let apiKey: string;
beforeAll(async () => {
  before = await createTestApp();
  const of = (config: { secret: string; formerSecrets: string[] }) =>
    createTestApp({ sharing: before, config });
  rotating = await of({ secret: newSecret, formerSecrets: [oldSecret] });
  after = await of({ secret: newSecret, formerSecrets: [] });
  user = await createTwoFactorUser(before);
  apiKey = await profileKey(before, routes.account.regenerateApiKey, 200);
}, 60_000);
afterAll(async () => {
  await after?.close();
  await rotating?.close();
  await before?.close();
});

async function profileKey(
  app: TestApp,
  route: typeof routes.account.regenerateApiKey | typeof routes.account.revealApiKey,
  status: number,
): Promise<string> {
  const token = await openSession(app, user, "code");
  const answer = await expectStatus(call(app, route, { token, body: {} }), status);
  return status === 200 ? route.response.parse(answer.json()).api_key : "";
}

async function stepUp(app: TestApp, code: string): Promise<number> {
  const token = await openSession(app, user);
  const body = { code };
  return (await call(app, routes.twoFactor.stepUp, { token, body })).statusCode;
}

function freshCode(app: TestApp): string {
  app.clock.advance(60_000);
  return authenticatorCode(app, user.secret);
}

test("a rotated secret loses neither authenticators, backup codes nor API keys", async () => {
  // Without the former secret nothing from its time can be read.
  expect(await stepUp(after, freshCode(after))).toBe(500);
  expect(await stepUp(after, user.backupCodes[0] ?? "")).not.toBe(200);

  expect(await stepUp(rotating, freshCode(rotating))).toBe(200);
  expect(await stepUp(rotating, user.backupCodes[1] ?? "")).toBe(200);
  expect(await profileKey(rotating, routes.account.revealApiKey, 200)).toBe(apiKey);

  const { config, db } = rotating.platform;
  const done = Object.fromEntries(
    (await reencryptSecrets(db, config)).map(({ name, ...counts }) => [name, counts]),
  );
  expect(done).toMatchObject({
    "two-factor secrets": { done: 1, unreadable: 0 },
    "profile API keys": { done: 1, unreadable: 0 },
  });

  expect(await stepUp(after, freshCode(after))).toBe(200);
  expect(await profileKey(after, routes.account.revealApiKey, 200)).toBe(apiKey);
  await expectStatus(call(after, routes.auth.user, { token: apiKey }), 200);

  // Nothing is left to do, and what no secret opens is counted and kept.
  for (const { done: again } of await reencryptSecrets(db, config)) expect(again).toBe(0);
  const lost = await reencryptSecrets(db, { secret: "a third secret", formerSecrets: [] });
  expect(lost.find(({ name }) => name === "two-factor secrets")).toMatchObject({ unreadable: 1 });
  expect(await stepUp(after, freshCode(after))).toBe(200);
});

test("keys of certificates are encrypted under the new secret", async () => {
  const storeOf = ({ platform, clock }: TestApp) => {
    const sealer = createSealer(deriveKeys(platform.config, "certificates"));
    return createCertificateStore({ db: platform.db, clock, sealer, domain: "rotated.example" });
  };
  const certificate = await selfSigned("rotated.example");
  await storeOf(before).takeOrder();
  await storeOf(before).save(certificate);
  expect(await storeOf(after).read()).toBeUndefined();
  await reencryptSecrets(rotating.platform.db, rotating.platform.config);
  expect((await storeOf(after).read())?.key).toBe(certificate.key);
});
