import { describe, expect, test } from "vitest";
import type { IntentRow } from "./intents.repository.ts";
import type { ProviderRecord } from "./payment-provider.ts";
import { decideSettlement } from "./settlement.policy.ts";

const start = new Date("2030-01-15T12:00:00Z");
const inTime = new Date(start.getTime() + 60_000);
const expiresAt = new Date(start.getTime() + 1_800_000);
const late = new Date(expiresAt.getTime() + 300_000);

const statuses = ["pending", "completed", "cancelled", "expired", "review"] as const;

function intent(status: IntentRow["status"], closedAt: Date | null = null): IntentRow {
  const row = {
    id: "intent",
    status,
    amountCents: 2_000,
    currency: "EUR",
    provider_account: "ours",
    expires_at: expiresAt,
    closed_at: closedAt,
    resolved_at: null,
  };
  // The decision does not depend on the other columns.
  return row as IntentRow;
}

const record = (status: ProviderRecord["status"]): ProviderRecord => ({
  status,
  intentId: "intent",
  amountCents: 2_000,
  currency: "EUR",
  account: "ours",
});

describe("the decision about an intent", () => {
  test.each([
    ["paid", inTime, ["credit", "wait", "credit", "credit", "wait"]],
    ["paid", late, ["credit", "wait", "credit", "credit", "wait"]],
    ["cancelled", inTime, ["cancel", "wait", "wait", "close", "wait"]],
    ["expired", expiresAt, ["close", "wait", "wait", "close", "wait"]],
    ["open", inTime, ["wait", "wait", "wait", "wait", "wait"]],
    ["open", expiresAt, ["wait", "wait", "wait", "wait", "wait"]],
    ["open", late, ["expire", "wait", "wait", "wait", "wait"]],
    ["processing", late, ["wait", "wait", "wait", "wait", "wait"]],
  ] as const)("%s at %s", (status, now, expected) => {
    const actions = statuses.map(
      (each) => decideSettlement(intent(each), record(status), now).action,
    );
    expect(actions).toEqual(expected);
  });

  test("a closed intent is closed once, and is still credited if it turns out paid", () => {
    expect(decideSettlement(intent("expired", late), record("expired"), late).action).toBe("wait");
    expect(decideSettlement(intent("expired", late), record("paid"), late).action).toBe("credit");
  });

  test("a checkout that the provider does not know expires in its own time", () => {
    expect(decideSettlement(intent("pending"), null, inTime).action).toBe("wait");
    expect(decideSettlement(intent("pending"), null, late).action).toBe("expire");
  });

  test.each([
    ["intent", { intentId: "other" }],
    ["amount", { amountCents: 2_001 }],
    ["currency", { currency: "eur" }],
    ["account", { account: "theirs" }],
  ])("paid with another %s is for staff", (what, change) => {
    for (const status of ["pending", "cancelled", "expired"] as const) {
      const verdict = decideSettlement(intent(status), { ...record("paid"), ...change }, inTime);
      expect(verdict).toEqual({
        action: "review",
        reason: expect.stringMatching(new RegExp(`^${what} `)),
      });
    }
  });

  test("a case that staff resolved stays as it is, even if the record is paid and fits", () => {
    const resolved = { ...intent("cancelled"), resolved_at: inTime };
    expect(decideSettlement(resolved, record("paid"), inTime)).toEqual({ action: "wait" });
  });
});
