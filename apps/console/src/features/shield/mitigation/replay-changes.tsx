import { Plural, useLingui } from "@lingui/react/macro";
import type { ReplayChange, ReplayedLogin } from "@palisade/contract/http/replay";
import { IconArrowRight, IconChevronRight } from "@tabler/icons-react";
import { useId, useState } from "react";
import { fullTime, wholeNumber } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { ScrollRegion } from "#src/ui/scroll-region.tsx";
import { byFrequency } from "./by-frequency.ts";
import { refusalLabels } from "./refusal-labels.ts";
import classes from "./replay.module.css";
import { useChangeLabels } from "./use-change-labels.ts";

/** Worst for players first. */
const order = ["refused", "verify", "admitted"] as const;

/** Each kind of change with its number; one of them shows its logins. */
export function ReplayChanges({ changes }: { readonly changes: readonly ReplayChange[] }) {
  const sorted = changes.toSorted((a, b) => order.indexOf(a.to) - order.indexOf(b.to));
  const [open, setOpen] = useState<string | null>(sorted[0] ? keyOf(sorted[0]) : null);
  return (
    <>
      {sorted.map((change) => {
        const key = keyOf(change);
        const isOpen = key === open;
        return (
          <Kind
            key={key}
            change={change}
            isOpen={isOpen}
            onToggle={() => setOpen(isOpen ? null : key)}
          />
        );
      })}
    </>
  );
}

function keyOf({ from, to }: ReplayChange): string {
  return `${from} ${to}`;
}

interface KindProps {
  readonly change: ReplayChange;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function Kind({ change, isOpen, onToggle }: KindProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const id = useId();
  const { from, to, count, rows } = change;
  const label = useChangeLabels(count)[`${from} ${to}`] ?? "";
  return (
    <section className={classes["kind"]} data-outcome={to}>
      <h3>
        <button
          type="button"
          className={classes["opener"]}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={onToggle}
        >
          <span className={classes["number"]}>{wholeNumber(locale, count)}</span>
          <span className={classes["label"]}>{label}</span>
          <IconChevronRight size={16} stroke={1.8} aria-hidden="true" />
        </button>
      </h3>
      <div id={id} hidden={!isOpen}>
        <Reasons change={change} />
        {isOpen ? (
          <ScrollRegion className={classes["rows"]} label={t`Logins: ${label}`}>
            <ul>
              {rows.map((row) => (
                <Row key={row.id} row={row} />
              ))}
            </ul>
          </ScrollRegion>
        ) : null}
        {count > rows.length ? (
          <p className={classes["rest"]}>
            <Plural
              value={rows.length}
              one="This is the newest login."
              other="These are the newest # logins."
            />
          </p>
        ) : null}
      </div>
    </section>
  );
}

/** How often each setting is the reason. */
function Reasons({ change }: { readonly change: ReplayChange }) {
  const { i18n } = useLingui();
  const { locale } = useLocale();
  const reasons = byFrequency(change.reasons);
  if (reasons.length < 2) return null;
  return (
    <ul className={classes["reasons"]}>
      {reasons.map(({ reason, amount }) => (
        <li key={reason}>
          {i18n._(refusalLabels[reason])} <strong>{wholeNumber(locale, amount)}</strong>
        </li>
      ))}
    </ul>
  );
}

function Row({ row }: { readonly row: ReplayedLogin }) {
  const { locale } = useLocale();
  const { player, ip, country, version, at, saved, proposed } = row;
  return (
    <li className={classes["row"]}>
      <span className={classes["player"]} translate="no">
        {player === "" ? "–" : player}
      </span>
      <time dateTime={at}>{fullTime(locale, new Date(at))}</time>
      <span className={classes["origin"]} translate="no">
        <span className="mono">{ip}</span>
        {country === null ? null : <abbr>{country}</abbr>}
        {version === null ? null : <span>{version}</span>}
      </span>
      <span className={classes["course"]}>
        {saved.reason} <IconArrowRight size={13} stroke={1.8} aria-hidden="true" />{" "}
        <strong>{proposed.reason}</strong>
      </span>
    </li>
  );
}
