import type { Propagation } from "@palisade/contract/http/servers";
import { describe, expect, test } from "vitest";
import { firstRejection, pollDelayMs, receiptState } from "./receipt-state.ts";

function propagation(...outcomes: ("pending" | "applied" | "rejected")[]): Propagation {
  const of = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
  return {
    revision: 4,
    committed_at: "2026-03-10T12:00:00Z",
    edges_total: outcomes.length,
    edges_applied: of("applied"),
    edges_rejected: of("rejected"),
    applied_in_ms: null,
    edges: outcomes.map((outcome, index) => ({
      edge: `edge-${index}`,
      location: "local",
      outcome,
      applied_in_ms: null,
      reason: outcome === "rejected" ? "config too large" : null,
    })),
  };
}

describe("receipt", () => {
  test("is applied only when every edge has applied it", () => {
    expect(receiptState(propagation("applied", "pending"))).toBe("pending");
    expect(receiptState(propagation("applied", "applied"))).toBe("applied");
  });

  test("a refusal shows at once, with the edge's reason", () => {
    const refused = propagation("applied", "rejected", "pending");
    expect(receiptState(refused)).toBe("rejected");
    expect(firstRejection(refused)).toBe("config too large");
  });

  test("success is not claimed if no edge serves the shield", () => {
    expect(receiptState(propagation())).toBe("no_edges");
  });

  test("polling ends when every edge has answered and slows down while one does not", () => {
    expect(pollDelayMs(propagation("applied"), 1)).toBe(false);
    expect(pollDelayMs(propagation("rejected"), 1)).toBe(false);
    expect(pollDelayMs(propagation("rejected", "pending"), 1)).toBe(250);
    expect(pollDelayMs(undefined, 0)).toBe(250);
    expect(pollDelayMs(propagation("pending"), 100)).toBe(2_000);
  });
});
