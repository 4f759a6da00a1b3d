import type { RouteDefinition } from "@palisade/contract/http/route";
import type { Db } from "#src/platform/database/db.ts";
import type { AuditLog } from "./audit-log.ts";
import type { Call } from "./call.ts";

/** More views than staff have open at once in one process. */
const viewsMax = 200;

/**
 * Puts what staff see in a view as customer on their record, before they see it. A page that is read
 * again in the same view, as pages do by themselves, is on record once for each api process.
 */
export function createViewRecord() {
  const kept = new Map<string, Set<string>>();

  function pagesOf(viewId: string): Set<string> {
    const pages = kept.get(viewId) ?? new Set();
    kept.delete(viewId);
    kept.set(viewId, pages);
    const [oldest] = kept.keys();
    if (kept.size > viewsMax && oldest !== undefined) kept.delete(oldest);
    return pages;
  }

  return {
    async keep(
      deps: { readonly db: Db; readonly audit: AuditLog },
      call: Call,
      definition: RouteDefinition,
    ): Promise<void> {
      if (call.actor.kind !== "user") return;
      const pages = pagesOf(call.actor.credential.id);
      const page = JSON.stringify([definition.id, call.params]);
      if (pages.has(page)) return;
      const entry = call.auditEntry(definition.success);
      await deps.db.transaction().execute((trx) => deps.audit.append(trx, entry));
      pages.add(page);
    },
  };
}
