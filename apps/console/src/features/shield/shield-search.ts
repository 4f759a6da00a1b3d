import type { HistoryArea } from "@palisade/contract/http/history";
import { oneOf, searchOf, text, uuid, wholeNumber } from "#src/lib/search-params.ts";
import { analyticsParameters } from "./analytics/analytics-search.ts";
import { logParameters } from "./logs/logs-search.ts";

const areas: Record<HistoryArea, true> = {
  general: true,
  backends: true,
  domains: true,
  mitigation: true,
  caching: true,
  messages: true,
  bedrock: true,
  firewall: true,
  notifications: true,
  members: true,
  plan: true,
};

/**
 * The search parameters of a shield's pages: the tab of a section, the filters of its history and log,
 * the state of its analytics, and the attack that is shown.
 */
export const shieldSearch = searchOf({
  tab: text(),
  page: wholeNumber(1, 1_000_000),
  area: oneOf(areas),
  by: text(36),
  days: wholeNumber(1, 365),
  ...analyticsParameters,
  ...logParameters,
  attack: uuid(),
});

export type ShieldSearch = ReturnType<typeof shieldSearch>;
