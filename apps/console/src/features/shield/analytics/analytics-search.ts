import type { AnalyticsRange } from "@palisade/contract/http/analytics";
import { oneOf, text } from "#src/lib/search-params.ts";

const ranges: Record<AnalyticsRange, true> = {
  "1h": true,
  "24h": true,
  "7d": true,
  "30d": true,
  custom: true,
};

const listLengthMax = 400;

/** The search parameters of the analytics. Lists are words between commas. */
export const analyticsParameters = {
  range: oneOf(ranges),
  from: text(40),
  to: text(40),
  /** The range to which zooming out returns. */
  back: oneOf(ranges),
  compare: (value: unknown) => (value === true ? true : undefined),
  /** Series that are switched off. */
  hidden: text(listLengthMax),
  /** Charts that are shown as tables. */
  tables: text(listLengthMax),
  /** The hours of the week show joins; players are the default. */
  heat: oneOf({ joins: true }),
};
