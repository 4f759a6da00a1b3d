import { allows, type Rights } from "@palisade/contract/http/member-rights";
import type { LeftOut, SettingArea } from "@palisade/contract/http/history";
import { renderText } from "@palisade/contract/texts/render";
import { readSettings } from "#src/features/configuration/settings-state.service.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import type { RecordedChange } from "#src/features/shield-history/shield-history.service.ts";
import type { Trx } from "#src/platform/database/db.ts";
import { withSavepoint } from "#src/platform/database/savepoint.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { createRestorers, type RestoreCaller, type RestoreDeps } from "./restorers.ts";
import { differences, readVersion } from "./settings-versions.service.ts";

export interface Restored {
  readonly revision: number | null;
  readonly restored: readonly SettingArea[];
  readonly left_out: readonly LeftOut[];
}

/**
 * Makes the settings what they were in a version, through the validation of every area, as one
 * revision. A setting that is not possible any more, or not the caller's right, is left out and named.
 */
export async function restoreVersion(
  deps: RestoreDeps,
  trx: Trx,
  caller: RestoreCaller & { readonly rights: Rights },
  request: { readonly entryId: string; readonly areas: readonly SettingArea[] | undefined },
): Promise<Restored> {
  const { shieldId, locale, rights } = caller;
  await deps.writes.lockActive(trx, shieldId);
  const to = await readVersion(trx, shieldId, request.entryId);
  const wanted = differences(await readSettings(trx, shieldId), to).filter(
    // Not even named where the caller may not see the area.
    ({ area }) => rights[area] !== "none" && request.areas?.includes(area) !== false,
  );
  const restorers = createRestorers({ ...deps, writes: withoutCommit(deps.writes) }, caller);
  const restored = new Set<SettingArea>();
  const leftOut: LeftOut[] = [];

  /** All together, since settings may need each other; where that is refused, one by one. */
  async function attempt(area: SettingArea, changes: readonly RecordedChange[]): Promise<void> {
    try {
      if (!allows(rights, area, "change")) {
        throw new DomainError("forbidden", { text: "member.no_right" });
      }
      await withSavepoint(trx, () => restorers[area](trx, changes, to[area]));
      restored.add(area);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const parts = splitChanges(area, changes);
      if (parts.length > 1) for (const part of parts) await attempt(area, part);
      else leftOut.push(...changes.map((change) => toLeftOut(area, change, error)));
    }
  }

  function toLeftOut(area: SettingArea, { field, item }: RecordedChange, error: DomainError) {
    const reason = renderText(locale, error.issues[0]?.code ?? error.text, error.values);
    return { area, field, item, reason };
  }

  for (const { area, changes } of wanted) await attempt(area, changes);
  if (restored.size === 0) return { revision: null, restored: [], left_out: leftOut };
  const { revision } = await deps.writes.commit(trx, shieldId);
  return { revision, restored: [...restored], left_out: leftOut };
}

/** The settings of one group belong together; all others stand alone. */
function splitChanges(
  area: SettingArea,
  changes: readonly RecordedChange[],
): readonly (readonly RecordedChange[])[] {
  if (area !== "backends") return changes.map((change) => [change]);
  return [...Map.groupBy(changes, ({ id }) => id).values()];
}

/** The areas' own services change their tables; the one commit follows at the end. */
function withoutCommit(writes: ShieldWrites): ShieldWrites {
  return {
    lockActive: (trx, shieldId) => writes.lockActive(trx, shieldId),
    commit: async () => ({ revision: 0, version: 0 }),
  };
}
