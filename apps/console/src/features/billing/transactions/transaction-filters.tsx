import { useLingui } from "@lingui/react/macro";
import { FilterSelect } from "#src/ui/filter-select.tsx";
import type { BillingSearch } from "../billing-search.ts";
import { methodLabels, statusLabels, typeLabels } from "./labels.ts";
import classes from "./transactions.module.css";

interface TransactionFiltersProps {
  readonly search: BillingSearch;
  readonly onShow: (change: Partial<BillingSearch>) => void;
}

export function TransactionFilters({ search, onShow }: TransactionFiltersProps) {
  const { t } = useLingui();
  return (
    <div className={classes["filters"]} role="group" aria-label={t`Filters`}>
      <FilterSelect
        label={t`Type`}
        all={t`All types`}
        labels={typeLabels}
        value={search.type}
        onChoose={(type) => onShow({ type })}
      />
      <FilterSelect
        label={t`Payment method`}
        all={t`All methods`}
        labels={methodLabels}
        value={search.payment_method}
        onChoose={(method) => onShow({ payment_method: method })}
      />
      <FilterSelect
        label={t`Status`}
        all={t`All statuses`}
        labels={statusLabels}
        value={search.status}
        onChoose={(status) => onShow({ status })}
      />
    </div>
  );
}
