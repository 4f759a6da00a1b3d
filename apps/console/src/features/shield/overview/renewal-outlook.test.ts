import { describe, expect, test } from "vitest";
import { lowBalance, renewalOutlook, toggleBar } from "./renewal-outlook.ts";

const renewal = {
  charge_at: "2026-04-09T12:00:00Z",
  price: "9.00",
  price_cents: 900,
  outcome: "covered",
  missing: "0.00",
  missing_cents: 0,
  paid_from: "balance",
  is_due: false,
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

  test("names the card where one is charged first", () => {
    expect(renewalOutlook({ ...facts, renewal: { ...renewal, paid_from: "card" } })).toBe("card");
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
    expect(renewalOutlook({ ...facts, status: "expired" })).toBe("expired");
    expect(renewalOutlook({ ...facts, status: "blocked" })).toBe("not_active");
  });
});

describe("a low balance", () => {
  const charge = Date.parse(renewal.charge_at);
  const short = { ...renewal, outcome: "short", missing_cents: 650 } as const;
  const unpaid = { ...facts, renewal: short, grace_ends_at: null };
  const before = (days: number) => new Date(charge - days * 86_400_000);

  test("is warned of in the last seven days before the charge, and not earlier", () => {
    expect(lowBalance(unpaid, before(7))).toBe(short);
    expect(lowBalance(unpaid, before(7.1))).toBeNull();
  });

  test("is warned of when the charge is due, whatever the browser's clock says", () => {
    const due = { ...short, is_due: true };
    expect(lowBalance({ ...unpaid, renewal: due }, before(30))).toBe(due);
  });

  test("is not warned of where the renewal is covered, or where the shield is unpaid already", () => {
    expect(lowBalance({ ...unpaid, renewal }, before(1))).toBeNull();
    const grace = { ...unpaid, grace_ends_at: "2026-04-13T12:00:00Z" };
    expect(lowBalance(grace, before(-2))).toBeNull();
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
