import { Gauge } from "prom-client";
import type { ListFacts } from "./vpn-keeper.ts";

/** Described in docs/operations/edge-metrics.md. */
export function vpnMetrics(lists: () => readonly ListFacts[]): Gauge[] {
  const gauge = (what: string, help: string, read: (list: ListFacts) => number): Gauge =>
    new Gauge({
      name: `palisade_edge_vpn_list_${what}`,
      help,
      labelNames: ["list"],
      registers: [],
      collect() {
        this.reset();
        for (const list of lists()) this.set({ list: list.name }, read(list));
      },
    });
  return [
    gauge("entries", "Lines or networks of a VPN list in use", ({ entries }) => entries),
    gauge("age_seconds", "Since the version in use was written", ({ ageMs }) => ageMs / 1_000),
    gauge("broken", "1 where the file as it is now cannot be taken", ({ isBroken }) =>
      isBroken ? 1 : 0,
    ),
  ];
}
