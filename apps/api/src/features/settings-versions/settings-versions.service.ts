import { settingAreas, type SettingArea } from "@palisade/contract/http/history";
import {
  readSettings,
  type ShieldSettings,
} from "#src/features/configuration/settings-state.service.ts";
import {
  changesBetween,
  readChanges,
  undoChange,
  type AreaSettings,
  type RecordedChange,
} from "#src/features/shield-history/shield-history.service.ts";
import type { Executor } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { selectChangesAfter, selectEntry } from "./settings-versions.repository.ts";

/** So many changes are undone to find a version; earlier ones cannot be shown any more. */
const undoneMax = 5_000;

export interface AreaChanges {
  readonly area: SettingArea;
  readonly changes: readonly RecordedChange[];
}

/**
 * The settings as they were after an entry of the history: those of now, without every change since.
 *
 * @throws DomainError `not_found` where the shield has no such entry, or too many came after it
 */
export async function readVersion(
  db: Executor,
  shieldId: string,
  entryId: string,
): Promise<ShieldSettings> {
  const entry = await selectEntry(db, shieldId, entryId);
  if (entry === undefined) throw new DomainError("not_found");
  const since = await selectChangesAfter(db, shieldId, entry.position, undoneMax + 1);
  if (since.length > undoneMax) throw new DomainError("not_found");
  const settings: Record<SettingArea, AreaSettings> = { ...(await readSettings(db, shieldId)) };
  for (const { area, changes } of since) {
    const known = settingAreas.find((each) => each === area);
    if (known === undefined) continue;
    settings[known] = readChanges(changes)
      .toReversed()
      .reduce((after, change) => undoChange(after, change), settings[known]);
  }
  return settings;
}

/** By area, without those that are equal. A count of purges is not a setting, and a right is given by staff. */
export function differences(from: ShieldSettings, to: ShieldSettings): AreaChanges[] {
  return settingAreas
    .map((area) => ({
      area,
      changes: changesBetween(from[area], to[area]).filter(({ field }) => !notSettings.has(field)),
    }))
    .filter(({ changes }) => changes.length > 0);
}

const notSettings: ReadonlySet<string> = new Set([
  "cache_purges",
  "served_revision",
  "bedrock_default",
]);
