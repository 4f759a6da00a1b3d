import { isDeepStrictEqual } from "node:util";
/** A list has no order: its entries are added and removed one by one. */
export type SettingValue = string | number | boolean | readonly string[];

/**
 * Values by setting, as `name@id` where there is one for each group or domain. An absent value is
 * not set. Holds nothing secret: owners and members read it.
 */
export type AreaSettings = Readonly<Record<string, SettingValue>>;

/** A change of one setting, whole, so that it can be undone. */
export interface RecordedChange {
  readonly field: string;
  /** The id of the group, or the domain; null where there is only one such setting. */
  readonly id: string | null;
  /** The name of the group, domain or person at the time. */
  readonly item: string | null;
  readonly before: string | number | boolean | null;
  readonly after: string | number | boolean | null;
  /** Entries of a list. */
  readonly added?: readonly string[];
  readonly removed?: readonly string[];
}

/** From `before` to `after`; settings that are equal are left out. */
export function changesBetween(before: AreaSettings, after: AreaSettings): RecordedChange[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => {
    const [was, is] = [before[key], after[key]];
    if (isDeepStrictEqual(was, is)) return [];
    const [field, id] = splitKey(key);
    const item = id === null ? null : (nameOf(after, id) ?? nameOf(before, id) ?? id);
    const lists = listChange(was, is);
    if (lists === undefined) return [{ field, id, item, before: plain(was), after: plain(is) }];
    const isEqual = lists.added.length === 0 && lists.removed.length === 0;
    // Empty, a list is there as little as when its group is not.
    return isEqual ? [] : [{ field, id, item, before: null, after: null, ...lists }];
  });
}

/** The settings before `change`, from those after it. */
export function undoChange(settings: AreaSettings, change: RecordedChange): AreaSettings {
  const key = change.id === null ? change.field : `${change.field}@${change.id}`;
  const { [key]: is, ...others } = settings;
  if (change.added !== undefined) {
    const added = new Set(change.added);
    const kept = (Array.isArray(is) ? (is as string[]) : []).filter((entry) => !added.has(entry));
    return { ...others, [key]: [...kept, ...(change.removed ?? [])] };
  }
  return change.before === null ? others : { ...others, [key]: change.before };
}

function splitKey(key: string): readonly [field: string, id: string | null] {
  const at = key.indexOf("@");
  return at < 0 ? [key, null] : [key.slice(0, at), key.slice(at + 1)];
}

/** The name of a group; a domain is its own. */
function nameOf(settings: AreaSettings, id: string): string | undefined {
  const name = settings[`group@${id}`];
  return typeof name === "string" ? name : undefined;
}

function listChange(was: SettingValue | undefined, is: SettingValue | undefined) {
  if (!Array.isArray(was) && !Array.isArray(is)) return undefined;
  const before = new Set(Array.isArray(was) ? (was as string[]) : []);
  const after = new Set(Array.isArray(is) ? (is as string[]) : []);
  return {
    added: [...after].filter((entry) => !before.has(entry)),
    removed: [...before].filter((entry) => !after.has(entry)),
  };
}

function plain(value: SettingValue | undefined): string | number | boolean | null {
  return value === undefined || typeof value === "object" ? null : value;
}
