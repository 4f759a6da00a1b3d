import type { Propagation } from "@palisade/contract/http/servers";

export type ReceiptState = "pending" | "applied" | "rejected" | "no_edges";

/** The state of a receipt: a refusal wins; success requires every edge. */
export function receiptState(propagation: Propagation | undefined): ReceiptState {
  if (propagation === undefined) return "pending";
  if (propagation.edges_rejected > 0) return "rejected";
  if (propagation.edges_total === 0) return "no_edges";
  return propagation.edges_applied >= propagation.edges_total ? "applied" : "pending";
}

const quickMs = 250;
const slowMs = 2_000;
const quickTries = 40;

/** Polls often at first, because edges usually answer within a fraction of a second. */
export function pollDelayMs(propagation: Propagation | undefined, tries: number): number | false {
  const state = receiptState(propagation);
  if (state === "applied") return false;
  if (state === "rejected" && propagation?.edges.every((e) => e.outcome !== "pending"))
    return false;
  return tries < quickTries ? quickMs : slowMs;
}

export function firstRejection(propagation: Propagation | undefined): string | null {
  return propagation?.edges.find(({ outcome }) => outcome === "rejected")?.reason ?? null;
}
