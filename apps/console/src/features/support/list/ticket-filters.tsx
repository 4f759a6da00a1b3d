import { useLingui } from "@lingui/react/macro";
import { FilterSelect } from "#src/ui/filter-select.tsx";
import { categoryLabels } from "#src/ui/ticket-labels.ts";
import type { SupportSearch } from "../support-search.ts";
import { statusLabels } from "../ticket-labels.ts";
import classes from "../support.module.css";

interface TicketFiltersProps {
  readonly search: SupportSearch;
  readonly onShow: (change: Partial<SupportSearch>) => void;
}

export function TicketFilters({ search, onShow }: TicketFiltersProps) {
  const { t } = useLingui();
  return (
    <div className={classes["filters"]} role="group" aria-label={t`Filters`}>
      <FilterSelect
        label={t`Status`}
        all={t`All statuses`}
        labels={statusLabels}
        value={search.status}
        onChoose={(status) => onShow({ status })}
      />
      <FilterSelect
        label={t`Category`}
        all={t`All categories`}
        labels={categoryLabels}
        value={search.category}
        onChoose={(category) => onShow({ category })}
      />
    </div>
  );
}
