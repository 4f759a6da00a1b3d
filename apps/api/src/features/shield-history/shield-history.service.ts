import { createHash } from "node:crypto";
import type {
  AuthorKind,
  HistoryArea,
  HistoryEntry,
  SettingArea,
} from "@palisade/contract/http/history";
import type { Locale } from "@palisade/contract/texts/render";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { authorOf } from "#src/platform/http/pipeline/change-author.ts";
import { selectChanges } from "./history-view.repository.ts";
import { presentChanges } from "./shield-history.presenter.ts";
import { changesBetween, type AreaSettings, type RecordedChange } from "./recorded-change.ts";
import {
  insertChanges,
  selectAuthor,
  selectOutdated,
  storeSettings,
  type StoredArea,
} from "./shield-history.repository.ts";

export {
  changesBetween,
  undoChange,
  type AreaSettings,
  type RecordedChange,
  type SettingValue,
} from "./recorded-change.ts";
export { presentChange, readChanges } from "./shield-history.presenter.ts";

/** For staff: the newest changes in every area. */
export async function newestChanges(
  db: Executor,
  shieldId: string,
  { limit, locale }: { readonly limit: number; readonly locale: Locale },
): Promise<HistoryEntry[]> {
  const filter = { since: new Date(0), hidden: [] };
  const rows = await selectChanges(db, shieldId, filter, { limit, offset: 0 });
  return rows.map((row) => presentChanges(row, locale));
}

interface Moment {
  readonly shieldId: string;
  /** Null where edges have nothing to know. */
  readonly revision: number | null;
  readonly now: Date;
}

/**
 * Records what a commit changes, area by area, compared with the commit before it. The first one of
 * a shield only stores what the next is compared with. Call it while the shield is locked.
 */
export async function recordSettings(
  trx: Trx,
  moment: Moment,
  settings: Readonly<Partial<Record<SettingArea, AreaSettings>>>,
): Promise<void> {
  const current = Object.entries(settings).map(([area, values]) =>
    // The keys of the record are areas.
    toStored(area as SettingArea, values),
  );
  const stored = await selectOutdated(trx, moment.shieldId, current);
  const known = new Map(stored.map(({ area, settings: text }) => [area, text]));
  const changed = current.filter(({ area }) => known.get(area) !== null);
  if (changed.length === 0) return;
  const found = changed.map(({ area, settings: text }) => {
    const before = known.get(area);
    if (before === undefined || before === null) return { area, changes: [] };
    return { area, changes: changesBetween(parse(before), parse(text)) };
  });
  await storeSettings(trx, moment.shieldId, changed);
  await insertAll(trx, moment, found);
}

/** Records a change of something that is not compiled: the name, people, what is paid for. */
export async function recordChange(
  trx: Trx,
  moment: Omit<Moment, "revision"> & { readonly revision?: number; readonly isOperator?: boolean },
  area: HistoryArea,
  changes: readonly ChangeOf[],
): Promise<void> {
  const whole = changes
    .filter(({ before, after }) => before !== after)
    .map(({ item = null, ...change }) => ({ id: null, item, ...change }));
  await insertAll(trx, { revision: null, ...moment }, [{ area, changes: whole }]);
}

type ChangeOf = Pick<RecordedChange, "field" | "before" | "after"> & {
  readonly item?: string | null;
};

async function insertAll(
  trx: Trx,
  moment: Moment & { readonly isOperator?: boolean },
  found: readonly { readonly area: HistoryArea; readonly changes: readonly RecordedChange[] }[],
): Promise<void> {
  const some = found.filter(({ changes }) => changes.length > 0);
  if (some.length === 0) return;
  const author = moment.isOperator === true ? operator : await readAuthor(trx, moment.shieldId);
  const rows = some.map(({ area, changes }) => ({
    id: newId(),
    shield_id: moment.shieldId,
    area,
    revision: moment.revision,
    ...author,
    changes: JSON.stringify(changes),
    created_at: moment.now,
  }));
  await insertChanges(trx, rows);
}

interface Author {
  readonly author_kind: AuthorKind;
  readonly author_id: string | null;
  readonly key_name: string | null;
}

const operator: Author = { author_kind: "operator", author_id: null, key_name: null };
const system: Author = { author_kind: "system", author_id: null, key_name: null };

/** The proof of a domain also changes the shield that loses it: its owner does not learn whose proof it was. */
async function readAuthor(trx: Trx, shieldId: string): Promise<Author> {
  const declared = authorOf(trx);
  if (declared === undefined) return system;
  const { userId, apiKeyId } = declared;
  const found = await selectAuthor(trx, { shieldId, userId, apiKeyId });
  const kind = found?.role ?? (declared.isStaff ? "staff" : undefined);
  if (kind === undefined) return system;
  const key_name = apiKeyId === null ? null : (found?.key_name ?? "");
  return { author_kind: kind, author_id: userId, key_name };
}

function toStored(area: SettingArea, values: AreaSettings): StoredArea {
  const settings = JSON.stringify(values);
  const digest = createHash("sha256").update(`${area} ${settings}`).digest("base64url");
  return { area, digest, settings };
}

/** As `toStored` wrote it. */
function parse(settings: string): AreaSettings {
  return JSON.parse(settings) as AreaSettings;
}
