import { exportAnalytics, getAnalytics } from "@palisade/contract/http/analytics";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { saveFile } from "#src/lib/save-file.ts";
import type { Period } from "./period.ts";

/** Edges report every ten seconds; longer ranges have longer steps. */
const liveMs = 10_000;
const dayMs = 60_000;

/** Polled while the window is visible: the last hour often, the last day once a minute. */
export function analyticsQuery(shieldId: string, period: Period, compare: boolean) {
  const query = { ...period, compare: compare ? ("true" as const) : ("false" as const) };
  return queryOptions({
    queryKey: ["servers", shieldId, "analytics", query],
    queryFn: async ({ signal }) =>
      (await call(getAnalytics, { params: { id: shieldId }, query, signal })).data,
    placeholderData: keepPreviousData,
    refetchInterval: period.range === "1h" ? liveMs : period.range === "24h" ? dayMs : false,
  });
}

export async function saveAnalytics(shieldId: string, period: Period): Promise<void> {
  const { data } = await call(exportAnalytics, { params: { id: shieldId }, query: period });
  saveFile("palisade-analytics.csv", new Blob([data], { type: "text/csv" }));
}
