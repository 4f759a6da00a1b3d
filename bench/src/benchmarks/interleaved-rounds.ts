import { median, medianRatio } from "#src/statistics/statistics.ts";

/** Values of each server by name, one per round. */
export type Measured = Readonly<Record<string, readonly number[]>>;

/**
 * Aims of some hundredths want so many times the rounds: on a virtual machine a core can be a third slower
 * for some seconds, which then are in the one server's values or the other's.
 */
export const closeRounds = 3;

/** @returns one value of each measurement */
export function valuesOf<M>(
  measurements: ReadonlyMap<string, readonly M[]>,
  value: (measurement: M) => number,
): Measured {
  return Object.fromEntries(
    [...measurements].map(([server, rounds]) => [server, rounds.map(value)]),
  );
}

/**
 * Runs rounds in which every server is measured once, in an order that rotates, so that no server is
 * always the first after a pause. The first round is a warm-up and is discarded.
 */
export async function interleaved<S extends { readonly name: string }, F>(
  servers: readonly S[],
  rounds: number,
  measure: (server: S) => Promise<F>,
): Promise<Map<string, F[]>> {
  const values = new Map<string, F[]>(servers.map(({ name }) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (let turn = 0; turn < servers.length; turn++) {
      const server = servers[(turn + round + 1) % servers.length];
      if (server === undefined) continue;
      const value = await measure(server);
      if (round >= 0) values.get(server.name)?.push(value);
    }
  }
  return values;
}

/**
 * `cost`: our value divided by the other's. `pace`: the same for values of which more is better.
 * `efficiency`: the other's cost divided by ours, so that it compares with a ratio of pace.
 */
export type RatioKind = "cost" | "pace" | "efficiency";

/** Our median, the medians of the others, and the ratio to one of them. */
export function compare(
  measured: Measured,
  ours: string,
  to: string,
  kind: RatioKind,
): {
  value: number;
  others: Record<string, number>;
  ratio?: { to: string; value: number };
} {
  const own = measured[ours] ?? [];
  const reference = measured[to];
  const others = Object.entries(measured).filter(([name]) => name !== ours);
  return {
    value: median(own),
    others: Object.fromEntries(others.map(([name, values]) => [name, median(values)])),
    ...(reference === undefined
      ? {}
      : {
          ratio: {
            to,
            value:
              kind === "efficiency" ? medianRatio(reference, own) : medianRatio(own, reference),
          },
        }),
  };
}
