import { Plural, Trans, useLingui } from "@lingui/react/macro";
import type { SettingChange } from "@palisade/contract/http/history";
import { Table } from "#src/ui/table.tsx";
import { useFieldLabel } from "./history-labels.ts";
import { useValueLabel } from "./value-labels.ts";
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
            <Side
              field={change.field}
              value={change.before}
              entries={change.removed}
              count={change.removed_count}
            />
          </td>
          <td data-label={after} className={classes["value"]}>
            <Side
              field={change.field}
              value={change.after}
              entries={change.added}
              count={change.added_count}
            />
          </td>
        </tr>
      ))}
    </Table>
  );
}

interface SideProps {
  readonly field: string;
  readonly value: SettingChange["before"];
  readonly entries: readonly string[];
  readonly count: number;
}

/** A value, or the entries of a list that only this side has. */
function Side({ field, value, entries, count }: SideProps) {
  const { t } = useLingui();
  const labelOf = useValueLabel();
  if (count > 0) {
    const unnamed = count - entries.length;
    return (
      <>
        {entries.join(", ")}
        {unnamed > 0 ? (
          <span className="dim">
            {" "}
            <Plural value={unnamed} one="and # more" other="and # more" />
          </span>
        ) : null}
      </>
    );
  }
  if (value === null || value === "") return <span className="dim">–</span>;
  if (typeof value === "boolean") return value ? <Trans>On</Trans> : <Trans>Off</Trans>;
  if (typeof value === "string" && value.startsWith("data:image/")) {
    return <img src={value} alt={t`Offline image`} width={32} height={32} />;
  }
  return typeof value === "string" ? labelOf(field, value) : value;
}
