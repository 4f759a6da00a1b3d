import { median } from "./latencies.ts";
import type { FloodPlan } from "./plan.ts";
import type { FloodResult } from "./run-flood.ts";
import { type Phase, warmUpJoins } from "./clients-messages.ts";

/** CPU of all processes of the edge, as a share of one core. */
export interface EdgeUsage {
  readonly quiet: { readonly cpu: number; readonly rssBytes: number };
  /** For each flood: CPU in its first and its last fifth, memory in the last. */
  readonly floods: readonly {
    readonly firstCpu: number;
    readonly lastCpu: number;
    readonly rssBytes: number;
  }[];
  /** At the end of the last rest. */
  readonly rest: { readonly cpu: number; readonly rssBytes: number };
}

export function edgeUsage(
  { floods, seconds: floodSeconds }: Pick<FloodPlan, "floods" | "seconds">,
  { seconds }: Pick<FloodResult, "seconds">,
): EdgeUsage {
  const fifth = Math.max(1, Math.floor(floodSeconds / 5));
  const of = (kind: Phase["kind"], flood = 0) =>
    seconds.filter(
      ({ phase }) => phase.kind === kind && (!("flood" in phase) || phase.flood === flood),
    );
  const cpuOf = (part: typeof seconds): number => median(part.map(({ cpu }) => cpu));
  const rssOf = (part: typeof seconds): number => median(part.map(({ rssBytes }) => rssBytes));
  const both = (part: typeof seconds) => ({ cpu: cpuOf(part), rssBytes: rssOf(part) });
  return {
    quiet: both(of("quiet").slice(-fifth)),
    floods: Array.from({ length: floods }, (_, flood) => {
      const all = of("flood", flood);
      const last = all.slice(-fifth);
      return { firstCpu: cpuOf(all.slice(0, fifth)), lastCpu: cpuOf(last), rssBytes: rssOf(last) };
    }),
    rest: both(of("rest", floods - 1).slice(-fifth)),
  };
}

/** Admitted connections that are not our own players. */
export function botsLetIn({ players }: FloodPlan, { outcomes, joins }: FloodResult): number {
  return (outcomes.get("forwarded") ?? 0) - players - joins.joined - warmUpJoins;
}
