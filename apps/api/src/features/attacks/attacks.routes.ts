import type { Attack } from "@palisade/contract/http/attacks";
import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import { readCursor, writeCursor } from "#src/platform/http/time-cursor.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { selectAttacks } from "./attacks.repository.ts";

const attacksShown = 50;

export function mountAttacksRoutes(mount: Mount, { db }: { readonly db: Db }): void {
  mount(routes.attacks.listAttacks, async (_, { params, query }) => {
    const window = { before: readCursor(query.cursor), limit: attacksShown + 1 };
    const rows = await selectAttacks(db, params.id, window);
    const shown = rows.slice(0, attacksShown);
    const last = rows.length > attacksShown ? shown.at(-1) : undefined;
    const next = last === undefined ? null : writeCursor({ at: last.started_at, id: last.id });
    return { body: { data: shown.map(presentAttack), next_cursor: next } };
  });
}

function presentAttack(row: Awaited<ReturnType<typeof selectAttacks>>[number]): Attack {
  return {
    id: row.id,
    started_at: row.started_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    peak_per_second: Number(row.peak_per_second),
    sources: Number(row.sources),
    refused: row.refused,
    edges: row.edges,
    relaxed_to: row.relaxed_to,
  };
}
