import { routes } from "@palisade/contract/http/routes";
import type { TestApp } from "./test-app.ts";
import { authenticatorCode, createTwoFactorUser, type TwoFactorUser } from "./test-two-factor.ts";
import { call, expectStatus, testPassword, type TestUser } from "./test-users.ts";

const { twoFactor } = routes;

/** How long an authenticator shows a code. */
export const stepMs = 30_000;

let serial = 0;
/** Logins of one address are limited. */
export const freshIp = (): string => `10.3.${Math.floor(serial / 250)}.${(serial++ % 250) + 1}`;

export const backup = (user: TwoFactorUser, index: number): string => user.backupCodes[index] ?? "";

/** Calls of users with two-factor, in the app that the tests have made by then. */
export function twoFactorCalls(testApp: () => TestApp) {
  const codeOf = (user: TwoFactorUser, steps = 0): string =>
    authenticatorCode(testApp(), user.secret, steps);
  return {
    codeOf,
    login: (user: TestUser, code?: string, app = testApp(), password = testPassword) =>
      call(app, routes.auth.login, {
        ip: freshIp(),
        body: { email: user.email, password, two_factor_code: code },
      }),
    /** Six digits that are none of those which would be taken now. */
    wrongCode: (user: TwoFactorUser): string => {
      const right = new Set([-1, 0, 1].map((steps) => codeOf(user, steps)));
      return ["000000", "111111", "222222", "333333"].find((code) => !right.has(code)) ?? "";
    },
    /** Its next code has not been used. */
    freshUser: async (): Promise<TwoFactorUser> => {
      const user = await createTwoFactorUser(testApp());
      testApp().clock.advance(stepMs);
      return user;
    },
    disable: (user: TestUser, code: string) =>
      call(testApp(), twoFactor.disableTwoFactor, { token: user.token, body: { code } }),
    readCodes: async (token: string) =>
      (await expectStatus(call(testApp(), twoFactor.getBackupCodes, { token }), 200)).json(),
  };
}
