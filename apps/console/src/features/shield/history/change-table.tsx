import { Plural, Trans, useLingui } from "@lingui/react/macro";
import type { SettingChange } from "@palisade/contract/http/history";
import { PngImage } from "#src/ui/png-image.tsx";
import { Table } from "#src/ui/table.tsx";
import { useFieldLabel } from "./history-labels.ts";
import { isImage, useValueText } from "./value-text.ts";
import classes from "./history.module.css";

interface ChangeTableProps {
  readonly changes: readonly SettingChange[];
  /** Names of the columns. */
  readonly before?: string;
  readonly after?: string;
}

/** Settings with their values before and after. */
export function ChangeTable({ changes, ...names }: ChangeTableProps) {
  const { t } = useLingui();
  const { before = t`Before`, after = t`After` } = names;
  const labelOf = useFieldLabel();
  return (
    <div className={classes["changes"]}>
      <Table
        dense
        label={t`Changed settings`}
        columns={[
          { key: "setting", name: t`Setting` },
          { key: "before", name: before },
          { key: "after", name: after },
        ]}
      >
        {changes.map((change) => (
          <tr key={`${change.field} ${change.item ?? ""}`}>
            <td className={classes["setting"]}>
              {labelOf(change.field)}
              {change.item === null ? null : <span className="dim"> {change.item}</span>}
            </td>
            {change.added_count + change.removed_count > 0 ? (
              <td data-label={after} colSpan={2} className={classes["value"]}>
                <div>
                  <Entries
                    heading={t`Removed:`}
                    entries={change.removed}
                    count={change.removed_count}
                  />
                  <Entries heading={t`Added:`} entries={change.added} count={change.added_count} />
                </div>
              </td>
            ) : (
              <>
                <td data-label={before} className={classes["value"]}>
                  <Value field={change.field} value={change.before} />
                </td>
                <td data-label={after} className={classes["value"]}>
                  <Value field={change.field} value={change.after} />
                </td>
              </>
            )}
          </tr>
        ))}
      </Table>
    </div>
  );
}

interface EntriesProps {
  readonly heading: string;
  readonly entries: readonly string[];
  readonly count: number;
}

/** Entries that a list has lost or got; the api names only the first ones of many. */
function Entries({ heading, entries, count }: EntriesProps) {
  if (count === 0) return null;
  const unnamed = count - entries.length;
  return (
    <p>
      <span className="dim">{heading}</span> {entries.join(", ")}
      {unnamed > 0 ? (
        <span className="dim">
          {" "}
          <Plural value={unnamed} one="and # more" other="and # more" />
        </span>
      ) : null}
    </p>
  );
}

interface ValueProps {
  readonly field: string;
  readonly value: SettingChange["before"];
}

function Value({ field, value }: ValueProps) {
  const textOf = useValueText();
  if (isImage(value)) return <Image uri={value} />;
  const text = textOf(field, value);
  return <div className={text === "–" ? "dim" : undefined}>{text}</div>;
}

function Image({ uri }: { readonly uri: string }) {
  return (
    <div>
      <PngImage uri={uri} className={classes["image"]} />
      <span className="visually-hidden">
        <Trans>Image</Trans>
      </span>
    </div>
  );
}
