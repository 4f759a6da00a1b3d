import type { SettingArea } from "@palisade/contract/http/history";
import type { Executor } from "#src/platform/database/db.ts";
import type { AreaSettings } from "#src/features/shield-history/shield-history.service.ts";
import { selectShieldRows } from "./configuration.repository.ts";
import { settingsOf } from "./settings-state.ts";

export type ShieldSettings = Readonly<Record<SettingArea, AreaSettings>>;

/** The settings of a shield as they are now. */
export async function readSettings(db: Executor, shieldId: string): Promise<ShieldSettings> {
  const rows = await selectShieldRows(db, shieldId);
  return { general: { name: rows.shield.server_name }, ...settingsOf(rows) };
}
