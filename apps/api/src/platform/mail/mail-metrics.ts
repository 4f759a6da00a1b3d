import { Counter, type Registry } from "prom-client";

const outcomes = ["sent", "failed_try", "refused", "outdated", "given_up"] as const;
export type MailCounter = (outcome: (typeof outcomes)[number]) => void;

export function countMails(registry: Registry): MailCounter {
  const counter = new Counter({
    name: "palisade_mails_total",
    help: "Mails by what became of them: failed_try comes again, refused, outdated and given_up do not",
    labelNames: ["outcome"],
    registers: [registry],
  });
  // Present from the start: a rate of what has not happened yet is 0, not missing.
  for (const outcome of outcomes) counter.labels(outcome).inc(0);
  return (outcome) => counter.labels(outcome).inc();
}
