import { Counter, type Registry } from "prom-client";

const outcomes = ["kept", "taken_away", "failed"] as const;
export type RecompileCounter = (outcome: (typeof outcomes)[number]) => void;

export function countRecompiled(registry: Registry): RecompileCounter {
  const counter = new Counter({
    name: "palisade_recompile_faults_total",
    help: "Shields an upgrade could not compile: kept as they were, taken_away from all edges, failed and tried again",
    labelNames: ["outcome"],
    registers: [registry],
  });
  for (const outcome of outcomes) counter.labels(outcome).inc(0);
  return (outcome) => counter.labels(outcome).inc();
}
