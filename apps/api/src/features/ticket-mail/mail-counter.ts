import { Counter, type Registry } from "prom-client";

const outcomes = ["added", "refused", "ignored", "quarantined", "given_up"] as const;

export type MailCounter = (outcome: string) => void;

export function countInboundMails(registry: Registry): MailCounter {
  const counter = new Counter({
    name: "palisade_inbound_mails_total",
    help: "Mails to tickets by what became of them",
    labelNames: ["outcome"],
    registers: [registry],
  });
  // Present from the start: a rate of what has not happened yet is 0, not missing.
  for (const outcome of outcomes) counter.labels(outcome).inc(0);
  return (outcome) => counter.labels(outcome).inc();
}
