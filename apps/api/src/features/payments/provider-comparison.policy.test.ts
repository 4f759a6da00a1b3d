import { newId } from "#src/platform/database/ids.ts";
import { describe, expect, test } from "vitest";
import { compareDays, type ClearingEntry } from "./provider-comparison.policy.ts";
import type { ProviderMovement } from "./provider-books.service.ts";

const at = (time: string) => new Date(`2026-11-${time}Z`);
const intentId = newId();
const nothing = new Set<string>();

const payment = (change: Partial<ProviderMovement> = {}): ProviderMovement => ({
  id: "CAPTURE1",
  kind: "payment",
  cents: 2_000,
  currency: "EUR",
  at: at("10T23:59:58"),
  intentId,
  related: [],
  ...change,
});
const topUp = (change: Partial<ClearingEntry> = {}): ClearingEntry => ({
  businessKey: `top-up:${intentId}`,
  cents: 2_000,
  at: at("11T00:00:02"),
  ...change,
});
const refund = payment({ id: "REFUND1", kind: "refund", cents: -500, at: at("11T12:00:00") });

const compare = (
  movements: readonly ProviderMovement[],
  entries: readonly ClearingEntry[],
  explained: ReadonlySet<string> = nothing,
) => compareDays(["2026-11-10", "2026-11-11"], movements, entries, explained);
const differences = (...args: Parameters<typeof compare>) =>
  compare(...args).flatMap((day) => day.differences);

describe("a provider's list and the ledger fit", () => {
  test("when a payment just before midnight is credited just after it; totals are of each day", () => {
    expect(compare([payment()], [topUp()])).toEqual([
      { day: "2026-11-10", providerCents: 2_000, ledgerCents: 0, differences: [] },
      { day: "2026-11-11", providerCents: 0, ledgerCents: 2_000, differences: [] },
    ]);
  });

  test.each([
    ["by the provider's id", `refund:paypal:REFUND1`],
    ["by the id of the order", `refund:${intentId}`],
    ["by its amount", `refund:${newId()}`],
  ])("when a refund is in both, found %s", (_, businessKey) => {
    const entry = topUp({ businessKey, cents: -500, at: at("10T11:00:00") });
    expect(differences([payment(), refund], [topUp(), entry])).toEqual([]);
  });

  test("when the payment is in quarantine, and after staff credited it", () => {
    expect(differences([payment()], [], new Set([intentId]))).toEqual([]);
    const credited = topUp({ businessKey: `quarantine:${newId()}` });
    expect(differences([payment()], [credited], new Set([intentId]))).toEqual([]);
  });

  test("when staff know the payment by the provider's id, and when the money of it went back", () => {
    const unknown = payment({ intentId: null });
    const returned = payment({ ...refund, intentId: null, related: ["CAPTURE1"] });
    expect(differences([unknown, returned], [], new Set(["CAPTURE1"]))).toEqual([]);
    expect(differences([unknown, returned], [])).toHaveLength(2);
  });

  test("whatever is outside of the days", () => {
    const before = payment({ at: at("01T00:00:00"), intentId: newId() });
    expect(differences([before], [topUp({ at: at("20T00:00:00") })])).toEqual([]);
  });
});

describe("they differ", () => {
  test.each<[string, readonly ProviderMovement[], readonly ClearingEntry[], readonly string[]]>([
    [
      "when the ledger has no credit",
      [payment()],
      [],
      [
        `the provider has the payment CAPTURE1 of 20.00 EUR, the ledger has not (intent ${intentId})`,
      ],
    ],
    [
      "when the provider has no payment",
      [],
      [topUp()],
      [`the ledger has top-up:${intentId} of 20.00 EUR, the provider has not`],
    ],
    [
      "in amount",
      [payment({ cents: 1_999 })],
      [topUp()],
      [
        `the provider has the payment CAPTURE1 of 19.99 EUR, the ledger has not (intent ${intentId})`,
        `the ledger has top-up:${intentId} of 20.00 EUR, the provider has not`,
      ],
    ],
    [
      "in currency",
      [payment({ currency: "USD" })],
      [topUp()],
      [
        `the provider has the payment CAPTURE1 of 20.00 USD, the ledger has not (intent ${intentId})`,
        `the ledger has top-up:${intentId} of 20.00 EUR, the provider has not`,
      ],
    ],
    [
      "when one payment was taken twice",
      [payment(), payment({ id: "CAPTURE2" })],
      [topUp()],
      [
        `the provider has the payment CAPTURE2 of 20.00 EUR, the ledger has not (intent ${intentId})`,
      ],
    ],
    [
      "when a refund is older than a bank takes",
      [payment({ ...refund, intentId: null })],
      [topUp({ businessKey: "refund:x", cents: -500, at: at("01T00:00:00") })],
      ["the provider has the refund REFUND1 of -5.00 EUR, the ledger has not"],
    ],
  ])("%s", (_, movements, entries, expected) => {
    expect(differences(movements, entries)).toEqual(expected);
  });
});
