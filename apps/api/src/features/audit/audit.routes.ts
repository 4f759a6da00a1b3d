import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import { csvHeaders, toCsv } from "#src/platform/http/csv.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { selectEntries, type AuditFilter } from "./audit-view.repository.ts";
import { pageOfAuditLog } from "./audit-view.service.ts";
import { presentEntry } from "./audit.presenter.ts";

const dayMs = 86_400_000;
/** More than that is for the operator to hand over: one answer holds it in memory. */
const exportRowsMax = 10_000;

const columns = [
  "created_at",
  "actor",
  "method",
  "endpoint",
  "full_url",
  "response_status",
  "ip",
  "duration_ms",
] as const;

export function mountAuditRoutes(mount: Mount, { db }: { readonly db: Db }): void {
  mount(routes.audit.listAuditLog, async (ctx, { query }) => {
    const filter = filterOf(query, ctx.now);
    const { page, per_page: perPage } = query;
    const { actor: account, locale } = ctx;
    return { body: await pageOfAuditLog(db, { account, filter, page, perPage, locale }) };
  });

  mount(routes.audit.exportAuditLog, async (ctx, { query }) => {
    const { userId } = ctx.actor;
    const window = { limit: exportRowsMax, offset: 0 };
    const rows = await selectEntries(db, userId, filterOf(query, ctx.now), window);
    const entries = rows.map((row) => presentEntry(row, ctx.actor, ctx.locale));
    return {
      body: toCsv(
        columns,
        entries.map((entry) => columns.map((column) => entry[column])),
      ),
      headers: csvHeaders("audit-log.csv"),
    };
  });
}

function filterOf(
  query: Omit<AuditFilter, "since"> & { readonly days: number },
  now: Date,
): AuditFilter {
  const { endpoint, method, status, days } = query;
  return { endpoint, method, status, since: new Date(now.getTime() - days * dayMs) };
}
