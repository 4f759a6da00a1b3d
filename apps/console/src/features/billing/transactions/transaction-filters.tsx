import { useLingui } from "@lingui/react/macro";
import type { MessageDescriptor } from "@lingui/core";
import { IconChevronDown } from "@tabler/icons-react";
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
      <Filter
        label={t`Type`}
        all={t`All types`}
        labels={typeLabels}
        value={search.type}
        onChoose={(type) => onShow({ type })}
      />
      <Filter
        label={t`Payment method`}
        all={t`All methods`}
        labels={methodLabels}
        value={search.payment_method}
        onChoose={(method) => onShow({ payment_method: method })}
      />
      <Filter
        label={t`Status`}
        all={t`All statuses`}
        labels={statusLabels}
        value={search.status}
        onChoose={(status) => onShow({ status })}
      />
    </div>
  );
}

interface FilterProps<V extends string> {
  readonly label: string;
  /** What it says while nothing is filtered. */
  readonly all: string;
  readonly labels: Readonly<Record<V, MessageDescriptor>>;
  readonly value: V | undefined;
  readonly onChoose: (value: V | undefined) => void;
}

function Filter<V extends string>({ label, all, labels, value, onChoose }: FilterProps<V>) {
  const { i18n } = useLingui();
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
            {i18n._(labels[known])}
          </option>
        ))}
      </select>
      <IconChevronDown size={14} stroke={1.8} aria-hidden="true" />
    </span>
  );
}
