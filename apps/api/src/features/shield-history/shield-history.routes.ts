import { settingAreas } from "@palisade/contract/http/history";
import { toPage } from "@palisade/contract/http/paging";
import { routes } from "@palisade/contract/http/routes";
import type { Locale } from "@palisade/contract/texts/render";
import type { Db } from "#src/platform/database/db.ts";
import { csvHeaders, toCsv } from "#src/platform/http/csv.ts";
import type { ShieldGrant } from "#src/platform/http/pipeline/context.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import {
  countChanges,
  selectAuthors,
  selectChanges,
  type HistoryFilter,
} from "./history-view.repository.ts";
import { authorName, csvColumns, csvRows, presentChanges } from "./shield-history.presenter.ts";

const dayMs = 86_400_000;
/** One answer holds them in memory. */
const exportRowsMax = 5_000;

export function mountHistoryRoutes(mount: Mount, { db }: { readonly db: Db }): void {
  mount(routes.history.listHistory, async (ctx, { params, query }) => {
    const filter = filterOf(query, ctx);
    const { page, per_page: perPage } = query;
    const total = await countChanges(db, params.id, filter);
    const window = { limit: perPage, offset: (page - 1) * perPage };
    const rows = await selectChanges(db, params.id, filter, window);
    const entries = rows.map((row) => presentChanges(row, ctx.locale));
    const authors = await listAuthors(db, params.id, ctx.locale);
    return { body: { ...toPage(entries, page, perPage, total), authors } };
  });

  mount(routes.history.exportHistory, async (ctx, { params, query }) => {
    const window = { limit: exportRowsMax, offset: 0 };
    const rows = await selectChanges(db, params.id, filterOf(query, ctx), window);
    const lines = rows.flatMap((row) => csvRows(presentChanges(row, ctx.locale)));
    return { body: toCsv(csvColumns, lines), headers: csvHeaders("history.csv") };
  });
}

async function listAuthors(db: Db, shieldId: string, locale: Locale) {
  const rows = await selectAuthors(db, shieldId);
  return rows
    .map((row) => ({ value: row.author_id ?? row.author_kind, name: authorName(row, locale) }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

function filterOf(
  query: Pick<HistoryFilter, "area"> & { readonly by?: string | undefined; readonly days: number },
  { now, shield: { rights } }: { readonly now: Date; readonly shield: ShieldGrant },
): HistoryFilter {
  const { area, by: author, days } = query;
  const hidden = settingAreas.filter((each) => rights[each] === "none");
  return { area, author, hidden, since: new Date(now.getTime() - days * dayMs) };
}
