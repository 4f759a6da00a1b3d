import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import { readCursor, writeCursor } from "#src/platform/http/time-cursor.ts";
import type { Feature } from "#src/platform/platform.ts";
import { entitlements } from "#src/features/plans/entitlements.service.ts";
import { makePartitions, selectLogins, selectPlanOf } from "./login-entries.repository.ts";
import { daysAhead, loginCleaning, loginPartitions } from "./logs.jobs.ts";
import { presentLogin } from "./logs.presenter.ts";

const entriesShown = 100;

export function createLogsFeature({ db }: { readonly db: Db }): Feature {
  return {
    jobs: [loginPartitions(db), loginCleaning(db)],
    // After days of rest there is no place for the first entry otherwise.
    start: () => makePartitions(db, daysAhead),
    mountRoutes(mount) {
      mount(routes.logs.listLogEntries, async (_, { params, query }) => {
        const before = readCursor(query.cursor);
        const days = entitlements(await selectPlanOf(db, params.id)).logDays;
        const window = { days, before, limit: entriesShown + 1 };
        const rows = await selectLogins(db, params.id, query, window);
        const shown = rows.slice(0, entriesShown);
        const last = rows.length > entriesShown ? shown.at(-1) : undefined;
        const next = last === undefined ? null : writeCursor(last);
        return { body: { data: shown.map(presentLogin), next_cursor: next } };
      });
    },
  };
}
