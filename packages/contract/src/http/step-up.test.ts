import { describe, expect, test } from "vitest";
import type { RouteDefinition } from "./route.ts";
import { allRoutes } from "./routes.ts";

/**
 * The changes of an account or of an owner's shield that the thief of a session may make. Each other
 * one asks for a recent proof by the strongest factor. A new route is either, by choice.
 */
const withoutStepUp: Readonly<Record<string, readonly string[]>> = {
  "ends the caller's own session or membership": ["auth.logout", "subUsers.leave"],
  "is the proof": ["twoFactor.beginStepUp", "twoFactor.stepUp"],
  "opens and closes nothing": [
    "twoFactor.setup",
    "account.updateProfile",
    "passkeys.rename",
    "billing.closeIntent",
  ],
  "gives the account something": [
    "invitations.accept",
    "billing.createStripeIntent",
    "billing.createPaypalOrder",
    "billing.confirmIntent",
    "paymentMethods.setup",
    "paymentMethods.confirmSetup",
    "servers.generateCname",
    "servers.create",
    "servers.restore",
    "servers.renew",
  ],
  "shows numbers without addresses or the account, for a limited time": ["attacks.share"],
  "takes away what others could read": ["attacks.revoke"],
  "reads and checks": [
    "billing.validatePromoCode",
    "servers.checkDomain",
    "servers.checkCname",
    "servers.probe",
    "planChanges.quote",
    "supportPlans.quote",
    "liveChannel.createToken",
  ],
  "holds from the end of the paid period on, and can be changed back until then": [
    "servers.updateOverview",
  ],
  "tells support something, and changes nothing else": [
    "tickets.create",
    "tickets.reply",
    "tickets.close",
    "tickets.reopen",
    "tickets.rate",
  ],
  "can be changed back at any time, and charges nothing": ["paymentMethods.setDefault"],
};

const changes = allRoutes.filter(
  ({ method, access }: RouteDefinition) =>
    method !== "GET" && (access === "customer" || access === "owner"),
);

const kinds: Readonly<Record<string, RegExp>> = {
  "sub-users": /^\w+ \/servers\/:id\/sub-users/,
  "deletion of a shield": /^DELETE \/servers\/:id$/,
  "deletion of the account": /^\w+ \/profile\/delete$/,
  "a plan": /plan(?!.*\/quote$)|upgrade|cancel|subscription/,
  sessions: /^\w+ \/profile\/sessions/,
  "the e-mail": /^PUT \/profile\/email$/,
  "the password": /^PUT \/profile\/password$/,
  "API keys": /^\w+ \/profile\/(regenerate-)?api-key/,
  "removing a card": /^DELETE \/billing\/cards/,
  passkeys: /^(POST|DELETE) \/profile\/passkeys/,
  "two-factor authentication": /^\w+ \/profile\/two-factor\/(?!setup)/,
};

describe("step-up", () => {
  test.each(changes.map((route: RouteDefinition) => [route.id, route] as const))(
    "%s needs one, or is known not to",
    (id, { recent }) => {
      const isExcepted = Object.values(withoutStepUp).some((ids) => ids.includes(id));
      expect(recent !== undefined).toBe(!isExcepted);
    },
  );

  test.each(Object.entries(kinds))("changes of %s need one", (_, pattern) => {
    const found = changes.filter(({ method, path }) => pattern.test(`${method} ${path}`));
    expect(found.length).toBeGreaterThan(0);
    for (const { id, recent } of found as readonly RouteDefinition[]) {
      expect(recent, id).toBeDefined();
    }
  });

  test("the exceptions are routes", () => {
    const ids = changes.map(({ id }): string => id);
    expect(ids).toEqual(expect.arrayContaining(Object.values(withoutStepUp).flat()));
  });
});
