import type { RefusalReason } from "@palisade/contract/edge/telemetry";
import type { ShedReason } from "#src/listeners/admission.ts";

/** How a connection ended, or that it became a player's. Each has exactly one. */
export type Outcome =
  | "forwarded"
  | "status"
  | "ping"
  | "legacy"
  | "unknown_host"
  | "malformed"
  | "deadline"
  | "left"
  | "stopped"
  | RefusalReason
  | ShedReason;

/** Plain numbers, read by the metrics when they are asked for. */
export class OutcomeCounts {
  accepted = 0;
  readonly #counts = new Map<Outcome, number>();

  count(outcome: Outcome): void {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
  }

  get(outcome: Outcome): number {
    return this.#counts.get(outcome) ?? 0;
  }

  entries(): Iterable<[Outcome, number]> {
    return this.#counts.entries();
  }
}
