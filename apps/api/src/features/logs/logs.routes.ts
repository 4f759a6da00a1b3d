import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import { readCursor, writeCursor } from "#src/platform/http/time-cursor.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { entitlements } from "#src/features/plans/entitlements.service.ts";
import { selectLogins, selectPlanOfShield } from "./login-entries.repository.ts";
import { presentLogin } from "./logs.presenter.ts";

const entriesShown = 100;

export function mountLogRoutes(mount: Mount, db: Db): void {
  mount(routes.logs.listLogEntries, async (_, { params, query }) => {
    const before = readCursor(query.cursor);
    const days = entitlements(await selectPlanOfShield(db, params.id)).logDays;
    const window = { days, before, limit: entriesShown + 1 };
    const rows = await selectLogins(db, params.id, query, window);
    const shown = rows.slice(0, entriesShown);
    const last = rows.length > entriesShown ? shown.at(-1) : undefined;
    const next = last === undefined ? null : writeCursor(last);
    return { body: { data: shown.map(presentLogin), next_cursor: next } };
  });
}
