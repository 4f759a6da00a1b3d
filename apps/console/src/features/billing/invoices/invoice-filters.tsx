import { useLingui } from "@lingui/react/macro";
import { FilterSearch } from "#src/ui/filter-search.tsx";
import { FilterSelect } from "#src/ui/filter-select.tsx";
import type { BillingSearch } from "../billing-search.ts";
import { invoiceFilter } from "./invoices.queries.ts";
import { documentMethodLabels, kindLabels } from "./labels.ts";
import classes from "./invoices.module.css";

interface InvoiceFiltersProps {
  readonly search: BillingSearch;
  /** Years that have any document, newest first. */
  readonly years: readonly number[];
  readonly onShow: (change: Partial<BillingSearch>) => void;
}

export function InvoiceFilters({ search, years, onShow }: InvoiceFiltersProps) {
  const { t } = useLingui();
  const { kind, year, number, payment_method: method } = invoiceFilter(search);
  return (
    <div className={classes["filters"]} role="group" aria-label={t`Filters`}>
      <FilterSearch
        label={t`Number`}
        value={number ?? ""}
        lengthMax={32}
        onChange={(typed) => onShow({ number: typed === "" ? undefined : typed })}
      />
      <FilterSelect
        label={t`Type`}
        all={t`All documents`}
        labels={kindLabels}
        value={kind}
        onChoose={(chosen) => onShow({ kind: chosen })}
      />
      <FilterSelect
        label={t`Year`}
        all={t`All years`}
        labels={yearLabels(years, year)}
        value={year === undefined ? undefined : yearKey(year)}
        onChoose={(chosen) =>
          onShow({ year: chosen === undefined ? undefined : Number(chosen.slice(1)) })
        }
      />
      <FilterSelect
        label={t`Payment method`}
        all={t`All methods`}
        labels={documentMethodLabels}
        value={method}
        onChoose={(chosen) => onShow({ payment_method: chosen })}
      />
    </div>
  );
}

/** Not a number alone: an object would sort such keys upwards. */
function yearKey(year: number): string {
  return `y${year}`;
}

/** The years that have documents, and the one that the address names if it has none. */
function yearLabels(years: readonly number[], chosen: number | undefined): Record<string, string> {
  const all = chosen === undefined ? years : [...new Set([...years, chosen])];
  return Object.fromEntries(
    all.toSorted((a, b) => b - a).map((year) => [yearKey(year), String(year)]),
  );
}
