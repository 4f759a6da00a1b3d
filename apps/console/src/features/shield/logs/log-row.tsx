import { Trans, useLingui } from "@lingui/react/macro";
import type { LogEntry } from "@palisade/contract/http/logs";
import { IconChevronRight } from "@tabler/icons-react";
import { memo } from "react";
import { useLocale } from "#src/lib/preferences.ts";
import { Status } from "#src/ui/status.tsx";
import { logTime } from "./log-time.ts";
import classes from "./logs.module.css";
import { toneOf, verdictLabels } from "./verdict-labels.ts";

interface LogRowProps {
  readonly entry: LogEntry;
  readonly isOpen: boolean;
  readonly onToggle: (id: string | null) => void;
}

/** One login. Memoised: while the log is live, hundreds of others arrive around it. */
export const LogRow = memo(function LogRow({ entry, isOpen, onToggle }: LogRowProps) {
  const { t, i18n } = useLingui();
  const { locale } = useLocale();
  const { player, verdict } = entry;
  const isUnchecked = entry.shadow && verdict === "joined";
  const label = isUnchecked ? t`Would be checked` : i18n._(verdictLabels[verdict]);
  const time = logTime(locale, new Date(entry.at), new Date());
  return (
    <div role="row" className={classes["row"]} data-open={isOpen || undefined}>
      <span role="cell" className={classes["time"]}>
        <button
          type="button"
          className={classes["opener"]}
          aria-expanded={isOpen}
          aria-label={t`${time}, ${player}: ${label}`}
          onClick={() => onToggle(isOpen ? null : entry.id)}
        >
          <IconChevronRight size={14} stroke={1.8} aria-hidden="true" />
          <time dateTime={entry.at}>{time}</time>
        </button>
      </span>
      <span role="cell" className={classes["verdict"]}>
        <Status tone={toneOf(entry)} isPast>
          {entry.shadow ? t`Let in: ${label}` : label}
        </Status>
      </span>
      <span role="cell" className={classes["player"]} translate="no">
        {player === "" ? <span className="dim">–</span> : player}
      </span>
      <span role="cell" className={classes["address"]} translate="no">
        <span className="mono">{entry.ip}</span>
        {entry.country === null ? null : (
          <abbr className={classes["country"]}>{entry.country}</abbr>
        )}
      </span>
      <span role="cell" className={classes["host"]} translate="no">
        {entry.host}
      </span>
      <span role="cell" className={classes["version"]}>
        {entry.edition === "bedrock" ? (
          <Trans>Bedrock</Trans>
        ) : (
          (entry.version ?? `#${entry.protocol}`)
        )}
      </span>
      <span role="cell" className={`mono ${classes["trace"]}`} translate="no">
        {entry.trace}
      </span>
    </div>
  );
});
