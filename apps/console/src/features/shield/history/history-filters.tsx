import { msg, plural } from "@lingui/core/macro";
import type { MessageDescriptor } from "@lingui/core";
import { useLingui } from "@lingui/react/macro";
import { FilterSelect } from "#src/ui/filter-select.tsx";
import { areaLabels } from "./history-labels.ts";
import classes from "./history.module.css";
import type { ShieldSearch } from "../shield-search.ts";

interface HistoryFiltersProps {
  readonly search: ShieldSearch;
  readonly authors: readonly { readonly value: string; readonly name: string }[];
  readonly onShow: (change: Partial<ShieldSearch>) => void;
}

const dayLabels = {
  1: msg`Last 24 hours`,
  7: msg`Last 7 days`,
  30: msg`Last 30 days`,
  90: msg`Last 90 days`,
};

export function HistoryFilters({ search, authors, onShow }: HistoryFiltersProps) {
  const { t } = useLingui();
  const names = Object.fromEntries(authors.map(({ value, name }) => [value, name]));
  return (
    <div className={classes["filters"]} role="group" aria-label={t`Filters`}>
      <FilterSelect
        label={t`Area`}
        all={t`All areas`}
        labels={areaLabels}
        value={search.area}
        onChoose={(area) => onShow({ area })}
      />
      <FilterSelect
        label={t`Changed by`}
        all={t`Anyone`}
        labels={withChosen(names, search.by)}
        value={search.by}
        onChoose={(by) => onShow({ by })}
      />
      <FilterSelect
        label={t`Days`}
        all={t`Last year`}
        labels={dayLabelsWith(search.days)}
        value={search.days === undefined ? undefined : String(search.days)}
        onChoose={(days) => onShow({ days: days === undefined ? undefined : Number(days) })}
      />
    </div>
  );
}

/** The address may name an author who is not on the list, or not yet loaded. */
function withChosen(names: Record<string, string>, chosen: string | undefined) {
  return chosen === undefined || chosen in names ? names : { ...names, [chosen]: chosen };
}

function dayLabelsWith(chosen: number | undefined): Record<string, MessageDescriptor> {
  if (chosen === undefined || chosen in dayLabels) return dayLabels;
  const days = chosen;
  return { ...dayLabels, [chosen]: msg`Last ${plural(days, { one: "# day", other: "# days" })}` };
}
