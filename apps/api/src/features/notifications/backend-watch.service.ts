import { type Edition, editions } from "@palisade/contract/edge/plain-values";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { tryToHold } from "./notification-events.repository.ts";
import { announce } from "./notification-events.service.ts";
import {
  adoptNewBackends,
  noteDifferences,
  takeChangedBackends,
} from "./backend-watch.repository.ts";

/** A backend is called down or up once all edges have said so for this long. */
export const watchSeconds = 60;

/**
 * Announces backends that went down or came back, by what the edges report. A change that lasts
 * for less than a minute is not told, and neither is the state a backend begins with. A backend that no edge reports
 * about now is as it was.
 */
export async function watchBackends({ db }: { readonly db: Db }): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await tryToHold(trx, "backends"))) return;
    for (const edition of editions) await watchEdition(trx, edition);
  });
}

async function watchEdition(trx: Trx, edition: Edition): Promise<void> {
  await adoptNewBackends(trx, edition);
  await noteDifferences(trx, edition);
  const changed = await takeChangedBackends(trx, edition, watchSeconds);
  await announce(
    trx,
    changed.map(({ shield_id, backend_id, is_down, since, address, group_name }) => ({
      shieldId: shield_id,
      kind: is_down ? ("backend.down" as const) : ("backend.up" as const),
      at: since,
      data: { backend_id, address, edition, group: group_name, since: since.toISOString() },
    })),
  );
}
