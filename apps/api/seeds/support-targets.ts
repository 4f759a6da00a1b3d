import type { TicketSeverity } from "@palisade/contract/http/tickets";
import type { TargetHours } from "@palisade/contract/http/usual-answer";

interface SupportTargetSeed {
  /** Names the support plan. */
  readonly slug: string;
  readonly severity: TicketSeverity;
  readonly minutes: number;
  readonly hours: TargetHours;
}

const target = (
  slug: string,
  severity: TicketSeverity,
  minutes: number,
  hours: TargetHours,
): SupportTargetSeed => ({ slug, severity, minutes, hours });

/** The promises of the support plans' descriptions; a working day has nine hours. */
export const supportTargets: readonly SupportTargetSeed[] = [
  target("free", "low", 1_620, "business"),
  target("free", "medium", 1_080, "business"),
  target("free", "high", 540, "business"),
  target("free", "critical", 240, "business"),
  target("priority", "low", 240, "business"),
  target("priority", "medium", 240, "business"),
  target("priority", "high", 120, "business"),
  target("priority", "critical", 60, "always"),
  target("business", "low", 30, "always"),
  target("business", "medium", 30, "always"),
  target("business", "high", 30, "always"),
  target("business", "critical", 15, "always"),
];
