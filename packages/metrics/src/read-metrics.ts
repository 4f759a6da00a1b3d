import { Counter, Gauge } from "prom-client";

type Entries = Iterable<readonly [label: string, value: number]>;

/** Makes metrics whose values are read when they are asked for; they are in no registry yet. */
export interface ReadMetrics {
  /** The whole name of a metric. */
  readonly nameOf: (what: string) => string;
  readonly counter: (what: string, help: string, read: () => number) => Counter;
  /** One value for each value of a label. */
  readonly counters: (what: string, help: string, label: string, read: () => Entries) => Counter;
  readonly gauge: (what: string, help: string, read: () => number) => Gauge;
}

/** @param prefix of all names, e.g. `palisade_edge` */
export function readMetrics(prefix: string): ReadMetrics {
  const nameOf = (what: string): string => `${prefix}_${what}`;
  return {
    nameOf,
    counter: (what, help, read) =>
      new Counter({
        name: nameOf(what),
        help,
        registers: [],
        collect() {
          this.reset();
          this.inc(read());
        },
      }),
    counters: (what, help, label, read) =>
      new Counter({
        name: nameOf(what),
        help,
        labelNames: [label],
        registers: [],
        collect() {
          this.reset();
          for (const [value, count] of read()) this.inc({ [label]: value }, count);
        },
      }),
    gauge: (what, help, read) =>
      new Gauge({
        name: nameOf(what),
        help,
        registers: [],
        collect() {
          this.set(read());
        },
      }),
  };
}
