import { Trans, useLingui } from "@lingui/react/macro";
import type { Analytics } from "@palisade/contract/http/analytics";
import type { Locale } from "@palisade/contract/texts/locale";
import { count } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Panel } from "#src/ui/panel.tsx";
import { ScrollRegion } from "#src/ui/scroll-region.tsx";
import { Table } from "#src/ui/table.tsx";
import classes from "./analytics.module.css";
import { Choice } from "./choice.tsx";
import { share } from "./format.ts";
import { HeatMap } from "./heat-map.tsx";

const dayMs = 24 * 60 * 60_000;

interface HoursPanelProps {
  readonly hours: NonNullable<Analytics["hours_of_week"]>;
  readonly shown: "players" | "joins";
  readonly onShow: (shown: "players" | "joins") => void;
}

/** When in the week players are there. */
export function HoursPanel({ hours, shown, onShow }: HoursPanelProps) {
  const { t } = useLingui();
  return (
    <Panel
      title={t`Hours of the week`}
      aside={
        <Choice
          label={t`Shown in the hours of the week`}
          choices={[
            { value: "players", label: t`Players` },
            { value: "joins", label: t`Joins` },
          ]}
          value={shown}
          onChoose={onShow}
        />
      }
    >
      <HeatMap
        label={shown === "players" ? t`Mean players by hour` : t`Mean joins by hour`}
        hours={hours[shown]}
      />
    </Panel>
  );
}

/** How many different players joined, and how many of them came back. */
export function RetentionPanel({ retention }: Pick<Analytics, "retention">) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const most = Math.max(1, ...retention.map(({ unique_players: players }) => players));
  return (
    <Panel
      title={t`Unique players and retention`}
      note={<Trans>Estimates. The solid part of a bar came back in the next period.</Trans>}
    >
      <ScrollRegion
        className={classes["retention"]}
        label={t`Unique players and retention, by period`}
      >
        <Table
          label={t`Unique players and retention`}
          dense
          columns={[
            { key: "period", name: <Trans>Period</Trans> },
            { key: "players", name: <Trans>Unique players</Trans>, right: true },
            { key: "returned", name: <Trans>Came back</Trans>, right: true },
          ]}
        >
          {retention.map(({ from, to, unique_players: players, returned, share: part }) => (
            <tr key={from}>
              <td>
                <span className={classes["shareName"]}>{periodLabel(locale, from, to)}</span>
                <span className={classes["bar"]} aria-hidden="true">
                  <span data-all style={{ width: `${(players / most) * 100}%` }} />
                  <span style={{ width: `${(returned / most) * 100}%` }} />
                </span>
              </td>
              <td data-right>{count(locale, players)}</td>
              <td data-right>{part === null ? "–" : share(locale, part)}</td>
            </tr>
          ))}
        </Table>
      </ScrollRegion>
    </Panel>
  );
}

/** Days are days of UTC, for which the figures are kept. */
function periodLabel(locale: Locale, from: string, to: string): string {
  const format = new Intl.DateTimeFormat(locale === "en" ? "en-GB" : "ru-RU", {
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  });
  const start = Date.parse(from);
  const end = Date.parse(to);
  return end - start <= dayMs ? format.format(start) : format.formatRange(start, end - 1);
}
