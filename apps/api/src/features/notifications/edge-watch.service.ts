import type { Db } from "#src/platform/database/db.ts";
import type { Mailer } from "#src/platform/mail/mailer.ts";
import { selectStaff, takeEdgeChanges } from "./edge-watch.repository.ts";
import { tryToHold } from "./notification-events.repository.ts";

/**
 * Mails staff when an edge or DNS server is heard no more, and when it is back. It is lost once two checks
 * in a row found it silent: after an outage of the api, all have been silent for a while.
 */
export async function watchEdges({
  db,
  mailer,
}: {
  readonly db: Db;
  readonly mailer: Mailer;
}): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await tryToHold(trx, "edges"))) return;
    const changes = await takeEdgeChanges(trx);
    if (changes.length === 0) return;
    const staff = await selectStaff(trx);
    for (const { name, location, is_lost, last_seen_at } of changes) {
      for (const { email, locale } of staff) {
        await mailer.enqueue(trx, {
          to: email,
          locale,
          template: is_lost ? "edges.lost" : "edges.back",
          values: { edge: name, location, at: last_seen_at?.toISOString() ?? "" },
        });
      }
    }
  });
}
