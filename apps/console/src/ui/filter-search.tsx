import { IconSearch } from "@tabler/icons-react";
import { useDraftValue } from "#src/lib/use-draft-value.ts";
import classes from "./filter-search.module.css";

interface FilterSearchProps {
  readonly label: string;
  readonly value: string;
  readonly lengthMax: number;
  readonly onChange: (value: string) => void;
}

/** Searches on blur and on Enter: an address per letter would fill the browser's history. */
export function FilterSearch({ label, value, lengthMax, onChange }: FilterSearchProps) {
  const [typed, type] = useDraftValue(value);
  const commit = () => {
    if (typed.trim() !== value) onChange(typed.trim());
  };
  return (
    <span className={classes["search"]}>
      <IconSearch size={15} stroke={1.6} aria-hidden="true" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        maxLength={lengthMax}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        onBlur={commit}
        onKeyDown={({ key }) => key === "Enter" && commit()}
      />
    </span>
  );
}
