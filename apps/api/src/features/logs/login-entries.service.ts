import { isIP } from "node:net";
import type { LoginEntry } from "@palisade/contract/edge/telemetry";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { deleteOldestLogins, insertLogins } from "./login-entries.repository.ts";

/**
 * Adds to the owners' logs, with the report they came in. What is older than edges keep their
 * reports for, or from the future, is left out.
 *
 * @param entries of shields the edge serves
 */
export async function recordLogins(
  trx: Trx,
  edgeId: string,
  entries: readonly LoginEntry[],
  ageHoursMax: number,
): Promise<void> {
  const rows = entries
    .filter(({ ip }) => isIP(ip) !== 0 && !ip.includes("%"))
    .map((entry) => ({
      ...entry,
      id: newId(),
      player: printable(entry.player),
      host: printable(entry.host),
      facts: Object.fromEntries(
        Object.entries(entry.facts).map(([name, value]) => [printable(name), printable(value)]),
      ),
    }));
  if (rows.length > 0) await insertLogins(trx, edgeId, rows, ageHoursMax);
}

/** A statement ends well within the time one may take, however much there is. */
const deletedAtOnceMax = 10_000;

/**
 * Takes away a portion of what a shield has that is older; 0 days: of all.
 *
 * @returns whether there may be more
 */
export async function deletePortionOfLogins(
  db: Executor,
  shieldId: string,
  daysKept: number,
): Promise<boolean> {
  const portion = { shieldId, daysKept, limit: deletedAtOnceMax };
  return (await deleteOldestLogins(db, portion)) >= deletedAtOnceMax;
}

/** PostgreSQL takes neither NUL nor half a surrogate: one of them would cost the whole report. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "?");
}
