import { median, medianRatio } from "#src/statistics/statistics.ts";

/** Figures of each server by name, one per round. */
export type Measured = Readonly<Record<string, readonly number[]>>;

/**
 * Rounds in which every server has its turn, in an order that turns with the round, so that
 * nobody is always the first after a pause. The first round warms up and is thrown away.
 */
export async function interleaved<S extends { readonly name: string }, F>(
  servers: readonly S[],
  rounds: number,
  measure: (server: S) => Promise<F>,
): Promise<Map<string, F[]>> {
  const figures = new Map<string, F[]>(servers.map(({ name }) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (let turn = 0; turn < servers.length; turn++) {
      const server = servers[(turn + round + 1) % servers.length];
      if (server === undefined) continue;
      const figure = await measure(server);
      if (round >= 0) figures.get(server.name)?.push(figure);
    }
  }
  return figures;
}

/**
 * `cost`: ours divided by the other's. `pace`: the same, where more is better. `efficiency`: the
 * other's cost divided by ours, so that it can be compared with a ratio of pace.
 */
export type RatioKind = "cost" | "pace" | "efficiency";

/** The medians of all but ours, and the ratio to one of them. */
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
    others: Object.fromEntries(others.map(([name, figures]) => [name, median(figures)])),
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
