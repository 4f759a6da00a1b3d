import { Gauge } from "prom-client";
import type { ListStatus } from "./vpn-list-updater.ts";

const larger = (a: number, b: number): number => Math.max(a, b);
const sum = (a: number, b: number): number => a + b;

/**
 * Described in docs/operations/anti-vpn.md. Files of one name count as one list, with the worst
 * values.
 */
export function vpnMetrics(lists: () => readonly ListStatus[]): Gauge[] {
  const gauge = (
    what: string,
    help: string,
    read: (list: ListStatus) => number,
    together: (a: number, b: number) => number = larger,
  ): Gauge =>
    new Gauge({
      name: `palisade_edge_vpn_list_${what}`,
      help,
      labelNames: ["list"],
      registers: [],
      collect() {
        this.reset();
        const byName = Map.groupBy(lists(), ({ name }) => name);
        for (const [list, files] of byName) this.set({ list }, files.map(read).reduce(together));
      },
    });
  return [
    gauge("entries", "Lines or networks of a VPN list in use", ({ entries }) => entries, sum),
    gauge("age_seconds", "Since the version in use was written", ({ ageMs }) => ageMs / 1_000),
    gauge("broken", "1 where the file as it is now is not in use", ({ isBroken }) =>
      isBroken ? 1 : 0,
    ),
  ];
}
