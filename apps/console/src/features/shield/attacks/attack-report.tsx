import { Trans, useLingui } from "@lingui/react/macro";
import type { AttackPage, SharedAttack } from "@palisade/contract/http/attacks";
import { duration } from "@palisade/contract/texts/duration";
import type { ReactNode } from "react";
import { count, fullRange, fullTime } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { useNow } from "#src/lib/use-now.ts";
import { Panel } from "#src/ui/panel.tsx";
import { TimeChart } from "#src/ui/time-chart.tsx";
import { isOfDatagrams, usePeakFigures } from "../attack-peaks.ts";
import { useLevelLabels } from "../level-labels.ts";
import { byFrequency } from "../mitigation/by-frequency.ts";
import { refusalLabels } from "../mitigation/refusal-labels.ts";
import { ConnectionCourse, DatagramCourse } from "./attack-courses.tsx";
import classes from "./attack.module.css";
import { BarList } from "./bar-list.tsx";
import { courseTimes, timeOfDay } from "./course-times.ts";

/** When it was, how long, and how strong. */
export function AttackFigures({ attack, actions }: { attack: SharedAttack; actions?: ReactNode }) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const now = useNow();
  const peaks = usePeakFigures(attack);
  const { started_at: start, ended_at: end } = attack;
  const lastsMs = (end === null ? now.getTime() : Date.parse(end)) - Date.parse(start);
  return (
    <Panel
      prominent
      title={end === null ? <Trans>Attack, ongoing</Trans> : <Trans>Attack</Trans>}
      note={
        <time dateTime={start}>
          {end === null
            ? fullTime(locale, new Date(start))
            : fullRange(locale, new Date(start), new Date(end))}
        </time>
      }
      aside={actions}
    >
      <dl className={classes["figures"]}>
        <Figure name={t`Duration`}>{duration(locale, lastsMs)}</Figure>
        {peaks.map(({ name, value }) => (
          <Figure key={name} name={name}>
            {value}
          </Figure>
        ))}
        <Figure name={t`Source networks`}>{count(locale, attack.sources)}</Figure>
        <Figure name={t`Edges`}>{count(locale, attack.edges)}</Figure>
        {attack.logins === null || isOfDatagrams(attack) ? null : (
          <Figure name={t`Logins`}>{count(locale, attack.logins)}</Figure>
        )}
        <EditionFigures attack={attack} />
        {attack.admitted === null || isOfDatagrams(attack) ? null : (
          <Figure name={t`Reached the server`}>{count(locale, attack.admitted)}</Figure>
        )}
      </dl>
    </Panel>
  );
}

/** Attacks on one edition alone are the rule. */
function EditionFigures({ attack }: { attack: SharedAttack }) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const { java, bedrock } = attack.editions ?? { java: 0, bedrock: 0 };
  const isOnBedrock = bedrock > 0 || attack.datagrams_peak > 0;
  const names = [...(java > 0 ? [t`Java`] : []), ...(isOnBedrock ? [t`Bedrock`] : [])];
  if (names.length === 0) return null;
  return (
    <>
      <Figure name={t`Edition`}>{names.join(", ")}</Figure>
      {names.length > 1 ? <Figure name={t`Of Bedrock`}>{count(locale, bedrock)}</Figure> : null}
    </>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface AttackReportPanelsProps {
  readonly attack: SharedAttack;
  /** Null: unknown, or not for this reader. */
  readonly threshold: number | null;
  readonly datagramsThreshold: number | null;
  /** Panels that only the owner and members see. */
  readonly children?: ReactNode;
}

/** Everything about the attack that may also be shown to others. */
export function AttackReportPanels({
  attack,
  threshold,
  datagramsThreshold,
  children,
}: AttackReportPanelsProps) {
  return (
    <>
      {isOfDatagrams(attack) ? null : <ConnectionCourse attack={attack} threshold={threshold} />}
      {attack.datagrams_peak > 0 ? (
        <DatagramCourse attack={attack} threshold={datagramsThreshold} />
      ) : null}
      <div className={classes["pair"]}>
        {isOfDatagrams(attack) ? null : <LoginBars attack={attack} />}
        {children}
      </div>
    </>
  );
}

/** Why logins were refused, and how their names look. */
function LoginBars({ attack }: { attack: SharedAttack }) {
  const { i18n, t } = useLingui();
  const reasons = byFrequency(attack.refused);
  return (
    <>
      <Panel title={<Trans>Refused for</Trans>}>
        <BarList
          label={t`Refused for`}
          empty={t`No login was refused.`}
          rows={reasons.map(({ reason, amount }) => ({
            name: i18n._(refusalLabels[reason]),
            amount,
          }))}
        />
      </Panel>
      <Panel
        title={<Trans>Patterns of names</Trans>}
        note={<Trans>Each # is a digit. At least so many logins had the pattern.</Trans>}
      >
        <BarList
          label={t`Patterns of names`}
          empty={t`No pattern was frequent.`}
          rows={attack.names.map(({ shape, logins }) => ({ name: shape, amount: logins }))}
          mono
        />
      </Panel>
    </>
  );
}

/** How many players were online before, during and after. */
export function AttackPlayers({ attack: { players, ended_at: end } }: { attack: AttackPage }) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const shown = (value: number | null | undefined) =>
    value === null || value === undefined ? "–" : count(locale, Math.round(value));
  return (
    <Panel
      title={<Trans>Effect on players</Trans>}
      note={<Trans>Mean players online, 15 minutes before and after.</Trans>}
    >
      <dl className={`${classes["figures"]} ${classes["three"]}`}>
        <Figure name={t`Before`}>{shown(players?.before)}</Figure>
        <Figure name={t`During`}>{shown(players?.during)}</Figure>
        <Figure name={t`After`}>{shown(players?.after)}</Figure>
      </dl>
      {players && players.online.length > 1 ? (
        <TimeChart
          label={t`Players online`}
          times={courseTimes(players)}
          format={(value) => count(locale, value)}
          formatTime={(time) => timeOfDay(locale, time, players)}
          isPast={end !== null}
          height={90}
          series={[{ label: t`players`, tone: "protected", values: players.online }]}
        />
      ) : null}
    </Panel>
  );
}

/** The AntiBot level, and its changes. */
export function AttackLevels({ attack: { levels } }: { attack: AttackPage }) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const labels = useLevelLabels();
  const causes = {
    start: t`at the start`,
    owner: t`changed in the settings`,
    relaxed: t`relaxed, because known players had failed the check`,
    end: t`set back at the end`,
  };
  return (
    <Panel title={<Trans>AntiBot level</Trans>}>
      {levels.length === 0 ? (
        <p className={classes["none"]}>
          <Trans>The levels of this attack are not known.</Trans>
        </p>
      ) : (
        <ol className={classes["levels"]}>
          {levels.map(({ at, level, cause }) => (
            <li key={`${at}${cause}`}>
              <strong>{labels[level]}</strong>
              <span>
                {causes[cause]} · <time dateTime={at}>{fullTime(locale, new Date(at))}</time>
              </span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
