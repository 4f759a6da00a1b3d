import type { TicketSeverity } from "@palisade/contract/http/tickets";
import type { ResponseTarget } from "./support-hours.policy.ts";

export type ResponseTargets = Readonly<Record<TicketSeverity, ResponseTarget>>;

/** For a support plan without a target of its own. */
const usualTargets: ResponseTargets = {
  low: { minutes: 1_620, hours: "business" },
  medium: { minutes: 1_080, hours: "business" },
  high: { minutes: 540, hours: "business" },
  critical: { minutes: 240, hours: "business" },
};

/** The targets of a support plan from its rows. */
export function withUsualTargets(
  rows: readonly (ResponseTarget & { readonly severity: TicketSeverity })[],
): ResponseTargets {
  const own = Object.fromEntries(
    rows.map(({ severity, minutes, hours }) => [severity, { minutes, hours }]),
  );
  return { ...usualTargets, ...own };
}
