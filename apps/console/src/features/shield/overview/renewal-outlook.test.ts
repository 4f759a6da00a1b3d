import { describe, expect, test } from "vitest";
import { renewalOutlook, toggleBar, topUpEuros } from "./renewal-outlook.ts";

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
  test("is what the server foresees", () => {
    expect(renewalOutlook(facts)).toBe("covered");
    expect(renewalOutlook({ ...facts, renewal: { ...renewal, outcome: "short" } })).toBe("short");
  });

  test("of a shared shield says no more than that it is tried", () => {
    const hidden = { ...renewal, outcome: null, missing: null, missing_cents: null };
    expect(renewalOutlook({ ...facts, renewal: hidden })).toBe("tried");
    const off = {
      ...facts,
      renewal: { ...hidden, outcome: "off" as const },
      include_balance: false,
    };
    expect(renewalOutlook(off)).toBe("balance_off");
  });

  test("that is not tried says which toggle is the reason", () => {
    const off = { ...facts, renewal: { ...renewal, outcome: "off" as const } };
    expect(renewalOutlook({ ...off, automatic_renewal: false })).toBe("renewal_off");
    expect(renewalOutlook({ ...off, include_balance: false })).toBe("balance_off");
  });

  test("is none on a free plan, and none on a shield that is not active", () => {
    expect(renewalOutlook({ ...facts, renewal: null, status: "expired" })).toBe("free");
    expect(renewalOutlook({ ...facts, status: "expired" })).toBe("not_active");
    expect(renewalOutlook({ ...facts, status: "blocked" })).toBe("not_active");
  });
});

describe("a top-up", () => {
  test("covers what is missing in whole euros", () => {
    expect([1, 100, 101, 850].map(topUpEuros)).toEqual([1, 1, 2, 9]);
  });
});

describe("the toggles", () => {
  test("are the owner's, while the shield is active; the state is the first reason", () => {
    expect(toggleBar("active", "owner")).toBeNull();
    expect(toggleBar("active", "member")).toBe("role");
    expect(toggleBar("expired", "member")).toBe("status");
    expect(toggleBar("blocked", "owner")).toBe("status");
  });
});
