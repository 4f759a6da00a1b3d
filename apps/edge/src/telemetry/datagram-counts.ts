/** The ends of datagrams, or of their senders' wishes. */
export const datagramVerdicts = [
  /** To a backend, or from one. */
  "relayed",
  "pong",
  "cookie",
  /** Opened a connection, or asked for a refusal. */
  "opened",
  /** Neither of a connection nor outside of one, cut or too short for an answer. */
  "malformed",
  /** It belongs to a connection that the edge does not have. */
  "stray",
  "wrong_cookie",
  /** The version of RakNet. */
  "incompatible",
  /** Beyond the budget of its source or its shield. */
  "over_budget",
  "banned",
] as const;
export type DatagramVerdict = (typeof datagramVerdicts)[number];

/** Datagrams of one thread since the last call. */
export type DatagramCountsPart = readonly (readonly [DatagramVerdict, number])[];

/** Datagrams on Bedrock ports by what became of them. */
export class DatagramCounts {
  readonly #counts = new Map<DatagramVerdict, number>();

  add(verdict: DatagramVerdict, count = 1): void {
    this.#counts.set(verdict, (this.#counts.get(verdict) ?? 0) + count);
  }

  get(verdict: DatagramVerdict): number {
    return this.#counts.get(verdict) ?? 0;
  }

  entries(): Iterable<[DatagramVerdict, number]> {
    return this.#counts.entries();
  }

  /** Takes all counts, for the thread that reports them. */
  takeAll(): DatagramCountsPart {
    const part = [...this.#counts];
    this.#counts.clear();
    return part;
  }

  addPart(part: DatagramCountsPart): void {
    for (const [verdict, count] of part) this.add(verdict, count);
  }
}
