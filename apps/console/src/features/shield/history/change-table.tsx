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
            <td data-label={before} className={classes["value"]}>
              <div>
                <Side
                  field={change.field}
                  value={change.before}
                  heading={t`Removed:`}
                  entries={change.removed}
                  count={change.removed_count}
                />
              </div>
            </td>
            <td data-label={after} className={classes["value"]}>
              <div>
                <Side
                  field={change.field}
                  value={change.after}
                  heading={t`Added:`}
                  entries={change.added}
                  count={change.added_count}
                />
              </div>
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
}

interface SideProps {
  readonly field: string;
  readonly value: SettingChange["before"];
  /** Stands before the entries of a list. */
  readonly heading: string;
  readonly entries: readonly string[];
  readonly count: number;
}

/** A value, or the entries of a list that only this side has. */
function Side({ field, value, heading, entries, count }: SideProps) {
  const textOf = useValueText();
  if (count > 0) {
    const unnamed = count - entries.length;
    return (
      <>
        <span className="dim">{heading}</span> {entries.join(", ")}
        {unnamed > 0 ? (
          <span className="dim">
            {" "}
            <Plural value={unnamed} one="and # more" other="and # more" />
          </span>
        ) : null}
      </>
    );
  }
  if (isImage(value)) return <Image uri={value} />;
  const text = textOf(field, value);
  return text === "–" ? <span className="dim">{text}</span> : text;
}

function Image({ uri }: { readonly uri: string }) {
  return (
    <>
      <PngImage uri={uri} className={classes["image"]} />
      <span className="visually-hidden">
        <Trans>Image</Trans>
      </span>
    </>
  );
}
