import { useLingui } from "@lingui/react/macro";
import { msg, plural } from "@lingui/core/macro";
import type { MessageDescriptor } from "@lingui/core";
import { FilterSearch } from "#src/ui/filter-search.tsx";
import { FilterSelect } from "#src/ui/filter-select.tsx";
import classes from "./audit.module.css";
import type { AuditMethod, AuditSearch } from "./audit-search.ts";

interface AuditFiltersProps {
  readonly search: AuditSearch;
  readonly onShow: (change: Partial<AuditSearch>, replace?: boolean) => void;
}

const methodLabels: Record<AuditMethod, string> = {
  GET: "GET",
  POST: "POST",
  PUT: "PUT",
  DELETE: "DELETE",
  CLI: "CLI",
};

const statuses = [200, 201, 400, 401, 402, 403, 404, 409, 410, 412, 422, 429, 500];

const dayLabels = {
  1: msg`Last 24 hours`,
  7: msg`Last 7 days`,
  90: msg`Last 90 days`,
  365: msg`Last year`,
};

export function AuditFilters({ search, onShow }: AuditFiltersProps) {
  const { t } = useLingui();
  return (
    <div className={classes["filters"]} role="group" aria-label={t`Filters`}>
      <FilterSearch
        label={t`Endpoint`}
        value={search.endpoint ?? ""}
        lengthMax={200}
        onChange={(endpoint) => onShow({ endpoint: endpoint === "" ? undefined : endpoint })}
      />
      <FilterSelect
        label={t`Method`}
        all={t`Any method`}
        labels={methodLabels}
        value={search.method}
        onChoose={(method) => onShow({ method })}
      />
      <FilterSelect
        label={t`Status`}
        all={t`All statuses`}
        labels={labelsOf(withChosen(statuses, search.status))}
        value={textOf(search.status)}
        onChoose={(chosen) => onShow({ status: numberOf(chosen) })}
      />
      <FilterSelect
        label={t`Days`}
        all={t`Last 30 days`}
        labels={dayLabelsWith(search.days)}
        value={textOf(search.days)}
        onChoose={(chosen) => onShow({ days: numberOf(chosen) })}
      />
    </div>
  );
}

/** The usual statuses and the one the address names, if it is another. */
function withChosen(usual: readonly number[], chosen: number | undefined): number[] {
  return [...new Set(chosen === undefined ? usual : [...usual, chosen])];
}

function labelsOf(values: readonly number[]): Record<string, string> {
  return Object.fromEntries(values.map((value) => [value, String(value)]));
}

function dayLabelsWith(chosen: number | undefined): Record<string, MessageDescriptor> {
  if (chosen === undefined || chosen in dayLabels) return dayLabels;
  const days = chosen;
  return {
    ...dayLabels,
    [chosen]: msg`Last ${plural(days, { one: "# day", other: "# days" })}`,
  };
}

function textOf(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

function numberOf(value: string | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}
