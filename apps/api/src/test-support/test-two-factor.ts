import { routes } from "@palisade/contract/http/routes";
import { Secret, TOTP } from "otpauth";
import type { TestApp } from "./test-app.ts";
import { call, createUser, expectStatus, type TestUser } from "./test-users.ts";

/** The code that an authenticator with this secret displays, some steps of 30 s from now. */
export function authenticatorCode(testApp: TestApp, secret: string, steps = 0): string {
  const timestamp = testApp.clock.now().getTime() + steps * 30_000;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

export interface TwoFactorUser extends TestUser {
  /** Base32. */
  readonly secret: string;
  readonly backupCodes: readonly string[];
}

/** A user who has switched two-factor on; its current code is used up by that. */
export async function createTwoFactorUser(testApp: TestApp): Promise<TwoFactorUser> {
  return withTwoFactor(testApp, await createUser(testApp));
}

export async function withTwoFactor(testApp: TestApp, user: TestUser): Promise<TwoFactorUser> {
  const secret = await setUpTwoFactor(testApp, user);
  const enabled = await expectStatus(
    call(testApp, routes.twoFactor.enableTwoFactor, {
      token: user.token,
      body: { code: authenticatorCode(testApp, secret) },
    }),
    200,
  );
  const { backup_codes } = routes.twoFactor.enableTwoFactor.response.parse(enabled.json());
  return { ...user, secret, backupCodes: backup_codes };
}

/** @returns the secret, which is not in force yet */
export async function setUpTwoFactor(testApp: TestApp, user: TestUser): Promise<string> {
  const answer = await expectStatus(
    call(testApp, routes.twoFactor.setUpTwoFactor, { token: user.token }),
    200,
  );
  return routes.twoFactor.setUpTwoFactor.response.parse(answer.json()).secret;
}
