import { toPage } from "@palisade/contract/http/paging";
import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { presentTransaction } from "./transactions.presenter.ts";
import {
  countTransactions,
  selectTransaction,
  selectTransactions,
} from "./transactions.repository.ts";

export function mountTransactions(mount: Mount, db: Db): void {
  mount(routes.billing.listTransactions, async (ctx, { query }) => {
    const { userId } = ctx.actor;
    const { page, per_page: limit } = query;
    const rows = await selectTransactions(db, userId, query, { limit, offset: (page - 1) * limit });
    const total = await countTransactions(db, userId, query);
    const data = rows.map((row) => presentTransaction(row, ctx.locale));
    return { body: toPage(data, page, limit, total) };
  });
  mount(routes.billing.getTransaction, async (ctx, { params }) => {
    const row = await selectTransaction(db, ctx.actor.userId, params.id);
    if (row === undefined) throw new DomainError("not_found");
    return { body: { transaction: presentTransaction(row, ctx.locale) } };
  });
}
