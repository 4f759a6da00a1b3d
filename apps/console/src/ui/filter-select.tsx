import type { MessageDescriptor } from "@lingui/core";
import { useLingui } from "@lingui/react/macro";
import { IconChevronDown } from "@tabler/icons-react";
import classes from "./filter-select.module.css";

interface FilterSelectProps<V extends string> {
  readonly label: string;
  /** Label of the empty choice. */
  readonly all: string;
  /** A string is shown as it is, in every language. */
  readonly labels: Readonly<Record<V, MessageDescriptor | string>>;
  readonly value: V | undefined;
  readonly onChoose: (value: V | undefined) => void;
}

/** One filter of a list; a set filter is highlighted. */
export function FilterSelect<V extends string>(props: FilterSelectProps<V>) {
  const { label, all, labels, value, onChoose } = props;
  const { i18n } = useLingui();
  const labelOf = (text: MessageDescriptor | string) =>
    typeof text === "string" ? text : i18n._(text);
  const values = Object.keys(labels).filter((key): key is V => key in labels);
  return (
    <span className={classes["filter"]}>
      <select
        aria-label={label}
        data-set={value !== undefined || undefined}
        value={value ?? ""}
        onChange={({ currentTarget }) =>
          onChoose(values.find((known) => known === currentTarget.value))
        }
      >
        <option value="">{all}</option>
        {values.map((known) => (
          <option key={known} value={known}>
            {labelOf(labels[known])}
          </option>
        ))}
      </select>
      <IconChevronDown size={14} stroke={1.8} aria-hidden="true" />
    </span>
  );
}
