import { queryClient } from "#src/api/query-client.ts";
import { analyticsQuery } from "./analytics/analytics.queries.ts";
import { periodOf } from "./analytics/period.ts";
import { sectionComponents } from "./section-components.ts";
import { sectionOf } from "./sections.ts";
import type { ShieldSearch } from "./shield-search.ts";
import { shieldQuery } from "./shield.queries.ts";

interface ShieldAddress {
  readonly shieldId: string;
  readonly segment: string | undefined;
  readonly search: ShieldSearch;
}

/**
 * Loads the code and the answers that the page of a shield begins with. Failures are tried again and
 * reported by the page.
 */
export function preloadShield({ shieldId, segment, search }: ShieldAddress): void {
  const section = sectionOf(segment?.toLowerCase());
  if (section === null) return;
  void queryClient.prefetchQuery(shieldQuery(shieldId));
  if (section === "overview") return;
  sectionComponents[section].preload?.()?.catch(() => undefined);
  if (section === "analytics") {
    const { compare = false } = search;
    void queryClient.prefetchQuery(analyticsQuery(shieldId, periodOf(search), compare));
  }
}
