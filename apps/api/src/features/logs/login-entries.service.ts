import { isIP } from "node:net";
import type { LoginEntry } from "@palisade/contract/edge/telemetry";
import { eraseNames } from "#src/features/attacks/attack-names.service.ts";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { Jobs } from "#src/platform/jobs/jobs.ts";
import type { AddressDatabases } from "@palisade/address-databases/address-databases";
import {
  deleteLoginsOfPlayer,
  deleteOldestLogins,
  insertLogins,
} from "./login-entries.repository.ts";

/**
 * Adds logins to the owners' logs, in the transaction of the report that brought them. Logins that
 * are older than an edge keeps reports, or lie in the future, are left out.
 *
 * @param entries of shields the edge serves
 */
export async function recordLogins(
  { trx, places }: { readonly trx: Trx; readonly places: Pick<AddressDatabases, "placeOf"> },
  edgeId: string,
  entries: readonly LoginEntry[],
  ageHoursMax: number,
): Promise<void> {
  const rows = entries
    .filter(({ ip }) => isIP(ip) !== 0 && !ip.includes("%"))
    .map((entry) => ({
      ...entry,
      ...places.placeOf(entry.ip),
      id: newId(),
      player: printable(entry.player),
      host: printable(entry.host),
      facts: printableFacts(entry.facts),
      attempt: printableAttempt(entry.attempt),
    }));
  if (rows.length > 0) await insertLogins(trx, edgeId, rows, ageHoursMax);
}

/** Keeps each statement well within its time limit. */
const deletedAtOnceMax = 10_000;

/**
 * Deletes a portion of a shield's logins that are older than `daysKept` days; 0 means all.
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

export const playerErasureJob = "logs.erase-player";

/**
 * Erases what the log and the attacks have of a player. If there are very many entries, a job
 * deletes the rest.
 *
 * @param player their name, in any case
 */
export async function erasePlayer(
  { jobs }: { readonly jobs: Jobs },
  trx: Trx,
  shieldId: string,
  player: string,
): Promise<{ readonly erased: number; readonly finished: boolean }> {
  const erased = await deleteLoginsOfPlayer(trx, { shieldId, player, limit: deletedAtOnceMax });
  const finished = erased < deletedAtOnceMax;
  if (!finished) await jobs.send(trx, playerErasureJob, { shieldId, player });
  await eraseNames(trx, shieldId, player);
  return { erased, finished };
}

/** @returns whether there may be more */
export async function erasePortionOfPlayer(
  db: Executor,
  shieldId: string,
  player: string,
): Promise<boolean> {
  const portion = { shieldId, player, limit: deletedAtOnceMax };
  return (await deleteLoginsOfPlayer(db, portion)) >= deletedAtOnceMax;
}

/** PostgreSQL refuses NUL and half a surrogate: one of them would lose the whole report. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "?");
}

function printableFacts(facts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [printable(name), printable(value)]),
  );
}

function printableAttempt(attempt: LoginEntry["attempt"]): LoginEntry["attempt"] {
  if (attempt?.vpn === undefined) return attempt;
  return { ...attempt, vpn: printableFacts(attempt.vpn) };
}
