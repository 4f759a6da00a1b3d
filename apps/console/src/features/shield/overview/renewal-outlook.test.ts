import { describe, expect, test } from "vitest";
import { renewalOutlook as outlookOf, toggleBar, topUpEuros } from "./renewal-outlook.ts";

const renewalOutlook = (state: Parameters<typeof outlookOf>[0]) => outlookOf(state, true);

const renewal = {
  charge_at: "2026-04-09T12:00:00Z",
  price: "9.00",
  price_cents: 900,
  outcome: "covered",
  missing: "0.00",
  missing_cents: 0,
} as const;
const facts = {
  status: "active",
  renewal,
  automatic_renewal: true,
  include_balance: true,
} as const;

describe("the next renewal", () => {
  test("follows the server's forecast", () => {
    expect(renewalOutlook(facts)).toBe("covered");
    expect(renewalOutlook({ ...facts, renewal: { ...renewal, outcome: "short" } })).toBe("short");
  });

  test("is not announced while renewals are not charged, except that a free plan has none", () => {
    expect(outlookOf(facts, false)).toBe("not_charged_yet");
    const off = { ...renewal, outcome: "off" } as const;
    expect(outlookOf({ ...facts, renewal: off, automatic_renewal: false }, false)).toBe(
      "not_charged_yet",
    );
    expect(outlookOf({ ...facts, renewal: null }, false)).toBe("free");
    expect(outlookOf({ ...facts, status: "expired" }, false)).toBe("not_active");
  });

  test("on a shared shield says only that a charge is tried", () => {
    const hidden = { ...renewal, outcome: null, missing: null, missing_cents: null };
    expect(renewalOutlook({ ...facts, renewal: hidden })).toBe("tried");
    const off = {
      ...facts,
      renewal: { ...hidden, outcome: "off" as const },
      include_balance: false,
    };
    expect(renewalOutlook(off)).toBe("balance_off");
  });

  test("names the toggle that prevents a charge", () => {
    const off = { ...facts, renewal: { ...renewal, outcome: "off" as const } };
    expect(renewalOutlook({ ...off, automatic_renewal: false })).toBe("renewal_off");
    expect(renewalOutlook({ ...off, include_balance: false })).toBe("balance_off");
  });

  test("does not happen on a free plan or on a shield that is not active", () => {
    expect(renewalOutlook({ ...facts, renewal: null, status: "expired" })).toBe("free");
    expect(renewalOutlook({ ...facts, status: "expired" })).toBe("not_active");
    expect(renewalOutlook({ ...facts, status: "blocked" })).toBe("not_active");
  });
});

describe("a top-up", () => {
  test("covers the missing amount in whole euros", () => {
    expect([1, 100, 101, 850].map(topUpEuros)).toEqual([1, 1, 2, 9]);
  });
});

describe("the toggles", () => {
  test("are enabled for the owner of an active shield; the shield's state is the first reason", () => {
    expect(toggleBar("active", "owner")).toBeNull();
    expect(toggleBar("active", "member")).toBe("role");
    expect(toggleBar("expired", "member")).toBe("status");
    expect(toggleBar("blocked", "owner")).toBe("status");
  });
});
