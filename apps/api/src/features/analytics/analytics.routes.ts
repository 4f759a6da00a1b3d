import { refusalReasons } from "@palisade/contract/edge/plain-values";
import type { AnalyticsSeries } from "@palisade/contract/http/analytics";
import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import { csvHeaders, toCsv } from "#src/platform/http/csv.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { getAnalytics, getAnalyticsSeries } from "./analytics.service.ts";

export function mountAnalyticsRoutes(mount: Mount, { db }: { readonly db: Db }): void {
  mount(routes.analytics.getAnalytics, async (ctx, { params, query }) => {
    const caller = { now: ctx.now, rights: ctx.shield.rights };
    const asked = { ...query, compare: query.compare === "true" };
    return { body: await getAnalytics(db, caller, params.id, asked) };
  });

  mount(routes.analytics.exportAnalytics, async (ctx, { params, query }) => {
    const caller = { now: ctx.now, rights: ctx.shield.rights };
    const { times, series } = await getAnalyticsSeries(db, caller, params.id, query);
    return { body: seriesCsv(times, series), headers: csvHeaders("analytics.csv") };
  });
}

/** One row for each time; the reasons of refusal are the last columns. */
function seriesCsv(times: readonly string[], { refused, ...series }: AnalyticsSeries): string {
  const columns = [
    ...Object.entries(series),
    ...refusalReasons.flatMap((reason) => {
      const counts = refused[reason];
      return counts === undefined ? [] : [[`refused_${reason}`, counts] as const];
    }),
  ];
  const names = ["time", ...columns.map(([name]) => name)];
  const rows = times.map((time, index) => [
    time,
    ...columns.map(([, values]) => values[index] ?? null),
  ]);
  return toCsv(names, rows);
}
