import { toPage } from "@palisade/contract/http/paging";
import type { Locale } from "@palisade/contract/texts/render";
import type { Executor } from "#src/platform/database/db.ts";
import { countEntries, selectEntries, type AuditFilter } from "./audit-view.repository.ts";
import { presentEntry, type Account } from "./audit.presenter.ts";

/** A page of an account's audit log, newest first. */
export async function pageOfAuditLog(
  db: Executor,
  asked: {
    readonly account: Account;
    readonly filter: AuditFilter;
    readonly page: number;
    readonly perPage: number;
    readonly locale: Locale;
  },
) {
  const { account, filter, page, perPage, locale } = asked;
  const total = await countEntries(db, account.userId, filter);
  const window = { limit: perPage, offset: (page - 1) * perPage };
  const rows = await selectEntries(db, account.userId, filter, window);
  const entries = rows.map((row) => presentEntry(row, account, locale));
  return toPage(entries, page, perPage, total);
}
