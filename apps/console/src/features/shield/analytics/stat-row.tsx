import { Trans, useLingui } from "@lingui/react/macro";
import type { Analytics, AnalyticsTotals } from "@palisade/contract/http/analytics";
import { bytes, count, perSecond } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { StatCard } from "#src/ui/stat-card.tsx";
import classes from "./analytics.module.css";
import { signedPercent } from "./format.ts";
import { changePercent } from "./values.ts";

/** The figures of the whole period, with the change against the period before. */
export function StatRow({ totals, before }: Pick<Analytics, "totals" | "before">) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const whole = (value: number) => count(locale, value);
  const amount = (value: number) => bytes(locale, value);
  const peak = totals.connections_peak === null ? "–" : perSecond(locale, totals.connections_peak);
  const pings = whole(totals.pings);
  const passed = whole(totals.verified);
  const stats: readonly Stat[] = [
    { title: t`Unique players`, of: (all) => all.unique_players, format: whole, note: t`estimate` },
    {
      title: t`Most players`,
      of: (all) => all.players_peak,
      format: whole,
      note: meanNote(t`mean`, totals.players === null ? null : whole(totals.players)),
    },
    { title: t`Total joins`, of: (all) => all.joins, format: whole, note: t`pings: ${pings}` },
    {
      title: t`Refused`,
      of: refusedOf,
      format: whole,
      note: t`verified: ${passed}`,
      isBad: true,
    },
    { title: t`Total traffic`, of: trafficOf, format: amount, note: t`both ways` },
    {
      title: t`Attack traffic`,
      of: (all) => all.attack_bytes,
      format: amount,
      note: t`peak ${peak}, not billed`,
      isBad: true,
    },
  ];
  return (
    <div className={classes["stats"]}>
      {stats.map(({ title, of, format, note, isBad = false }) => {
        const value = of(totals);
        const earlier = before && of(before.totals);
        const change = changePercent(value, earlier);
        return (
          <StatCard
            key={title}
            title={title}
            value={value === null ? "–" : format(value)}
            note={
              change === null ? (
                before === null ? (
                  note
                ) : (
                  t`nothing before`
                )
              ) : (
                <Change percent={change} earlier={format(earlier ?? 0)} isBad={isBad} />
              )
            }
          />
        );
      })}
    </div>
  );
}

interface Stat {
  readonly title: string;
  readonly of: (totals: AnalyticsTotals) => number | null;
  readonly format: (value: number) => string;
  /** Shown where nothing is compared. */
  readonly note: string;
  /** More of it is worse. */
  readonly isBad?: boolean;
}

interface ChangeProps {
  readonly percent: number;
  /** The figure of the period before, in words. */
  readonly earlier: string;
  readonly isBad: boolean;
}

function Change({ percent, earlier, isBad }: ChangeProps) {
  const { locale } = useLocale();
  const isBetter = isBad ? percent < 0 : percent > 0;
  const tone = Math.round(percent) === 0 ? undefined : isBetter ? "better" : "worse";
  return (
    <span>
      <b className={classes["change"]} data-tone={tone}>
        {signedPercent(locale, percent)}
      </b>{" "}
      <Trans>before: {earlier}</Trans>
    </span>
  );
}

function meanNote(word: string, mean: string | null): string {
  return mean === null ? "" : `${word} ${mean}`;
}

function refusedOf({ refused }: AnalyticsTotals): number {
  return Object.values(refused).reduce((sum, amount) => sum + amount, 0);
}

function trafficOf({ bytes_up: up, bytes_down: down }: AnalyticsTotals): number {
  return up + down;
}
