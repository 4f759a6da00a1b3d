import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import { useLocale } from "#src/lib/preferences.ts";
import { FilterSearch } from "#src/ui/filter-search.tsx";
import { FilterSelect } from "#src/ui/filter-select.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { countryName } from "./log-details.tsx";
import { editionLabels } from "./edition-labels.ts";
import classes from "./logs.module.css";
import { isSearchable, noFilters, type LogSearch } from "./logs-search.ts";
import { isVerdictChoice, verdictChoices } from "./verdict-labels.ts";

const periodLabels = {
  1: msg`Last hour`,
  24: msg`Last 24 hours`,
  168: msg`Last 7 days`,
  own: msg`From – to`,
} as const;
type Period = keyof typeof periodLabels;

interface LogsFiltersProps {
  readonly search: LogSearch;
  /** Codes of the countries that the shown entries come from. */
  readonly countries: readonly string[];
  /** Entries are live: they have no past. */
  readonly isLive: boolean;
  readonly onShow: (change: LogSearch) => void;
}

export function LogsFilters({ search, countries, isLive, onShow }: LogsFiltersProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const hasOwnPeriod = search.from !== undefined || search.to !== undefined;
  const [isAsking, ask] = useState(false);
  const period = hasOwnPeriod || isAsking ? "own" : search.hours;
  const choosePeriod = (chosen: Period | undefined) => {
    ask(chosen === "own");
    if (chosen === "own") return;
    onShow({ hours: chosen, from: undefined, to: undefined });
  };
  const names = Object.fromEntries(
    [...new Set([...countries, ...(search.country ? [search.country] : [])])]
      .toSorted()
      .map((code) => [code, countryName(locale, code)]),
  );
  return (
    <div className={classes["filters"]} role="group" aria-label={t`Filters`}>
      <FilterSearch
        label={t`Player, domain, address or trace code`}
        value={search.q ?? ""}
        lengthMax={64}
        onChange={(q) => {
          if (q !== "" && !isSearchable(q)) {
            toast("info", t`Type at least 3 characters, with two letters or digits in a row`);
          } else onShow({ q: q === "" ? undefined : q });
        }}
      />
      <FilterSelect
        label={t`Result`}
        all={t`All results`}
        labels={verdictChoices}
        value={isVerdictChoice(search.verdict) ? search.verdict : undefined}
        onChoose={(verdict) => onShow({ verdict })}
      />
      <FilterSelect
        label={t`Edition`}
        all={t`All editions`}
        labels={editionLabels}
        value={search.edition}
        onChoose={(edition) => onShow({ edition })}
      />
      {isLive ? null : (
        <FilterSelect
          label={t`Period`}
          all={t`All times`}
          labels={periodLabels}
          value={period === undefined ? undefined : (String(period) as `${Period}`)}
          onChoose={(chosen) => choosePeriod(chosen as Period | undefined)}
        />
      )}
      {Object.keys(names).length === 0 ? null : (
        <FilterSelect
          label={t`Country`}
          all={t`All countries`}
          labels={names}
          value={search.country}
          onChoose={(country) => onShow({ country })}
        />
      )}
      {period === "own" && !isLive ? <OwnPeriod search={search} onShow={onShow} /> : null}
    </div>
  );
}

function OwnPeriod({ search, onShow }: Pick<LogsFiltersProps, "search" | "onShow">) {
  const { t } = useLingui();
  const choose = (name: "from" | "to", typed: string) => {
    const at = new Date(typed);
    const time = Number.isNaN(at.getTime()) ? undefined : at.toISOString();
    onShow({ [name]: time, hours: undefined });
  };
  return (
    <span className={classes["period"]}>
      <input
        type="datetime-local"
        aria-label={t`From`}
        value={localTime(search.from)}
        onChange={({ currentTarget }) => choose("from", currentTarget.value)}
      />
      <span aria-hidden="true">–</span>
      <input
        type="datetime-local"
        aria-label={t`To`}
        value={localTime(search.to)}
        onChange={({ currentTarget }) => choose("to", currentTarget.value)}
      />
    </span>
  );
}

/** As the field writes it, in the person's own zone. */
function localTime(iso: string | undefined): string {
  if (iso === undefined) return "";
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const chips = ["player", "ip", "host", "trace"] as const;

/** The filters that were chosen in the details of an entry, each with a button that takes it away. */
export function ChosenFilters({ search, onShow }: Pick<LogsFiltersProps, "search" | "onShow">) {
  const { t } = useLingui();
  const labels = { player: t`Player`, ip: t`Address`, host: t`Domain`, trace: t`Trace code` };
  const chosen = chips.flatMap((name) => {
    const value = search[name];
    return value === undefined ? [] : [{ name, value }];
  });
  if (chosen.length === 0) return null;
  return (
    <div className={classes["chips"]}>
      {chosen.map(({ name, value }) => {
        const label = labels[name];
        return (
          <button
            key={name}
            type="button"
            className={classes["chip"]}
            aria-label={t`Remove filter: ${label} ${value}`}
            onClick={() => onShow({ [name]: undefined })}
          >
            <span className="dim">{label}</span>
            <span className="mono">{value}</span>
            <IconX size={13} stroke={1.8} aria-hidden="true" />
          </button>
        );
      })}
      <button type="button" className={classes["clear"]} onClick={() => onShow(noFilters)}>
        <Trans>Clear filters</Trans>
      </button>
    </div>
  );
}
