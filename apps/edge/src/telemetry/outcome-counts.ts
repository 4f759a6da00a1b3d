import type { RefusalReason } from "@palisade/contract/edge/telemetry";
import type { ShedReason } from "#src/listeners/admission.ts";
import { AbuseCounts } from "#src/protection/abuse-counts.ts";

/** How a connection ended, or that it became a player's. Each has exactly one. */
export type Outcome =
  | "forwarded"
  /** Has shown that he is a game, and is to come back. */
  | "verified"
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
  /** By what the client wanted. */
  readonly #handshakes = new Map<string, number>();
  /** The same by source, for whoever bans those that abuse the edge. */
  readonly bySource = new AbuseCounts();

  /** @param source of `sourceKey`, where it is known */
  count(outcome: Outcome, source?: string): void {
    if (source !== undefined) this.bySource.note(source, outcome);
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
  }

  /** @param intent of the handshake */
  countHandshake(intent: string): void {
    this.#handshakes.set(intent, (this.#handshakes.get(intent) ?? 0) + 1);
  }

  handshakes(): Iterable<[string, number]> {
    return this.#handshakes.entries();
  }

  get(outcome: Outcome): number {
    return this.#counts.get(outcome) ?? 0;
  }

  entries(): Iterable<[Outcome, number]> {
    return this.#counts.entries();
  }
}
