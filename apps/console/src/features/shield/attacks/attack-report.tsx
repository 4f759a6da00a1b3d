import { Trans, useLingui } from "@lingui/react/macro";
import {
  attackDetailDays,
  type AttackPage,
  type SharedAttack,
} from "@palisade/contract/http/attacks";
import { duration } from "@palisade/contract/texts/duration";
import { useMemo, type ReactNode } from "react";
import { count, fullRange, fullTime, perSecond } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { useNow } from "#src/lib/use-now.ts";
import { Panel } from "#src/ui/panel.tsx";
import { TimeChart } from "#src/ui/time-chart.tsx";
import { useLevelLabels } from "../level-labels.ts";
import { byFrequency } from "../mitigation/by-frequency.ts";
import { refusalLabels } from "../mitigation/refusal-labels.ts";
import classes from "./attack.module.css";
import { BarList } from "./bar-list.tsx";
import { courseTimes, timeOfDay } from "./course-times.ts";

/** When it was, how long, and how strong. */
export function AttackFigures({ attack, actions }: { attack: SharedAttack; actions?: ReactNode }) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const now = useNow();
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
        <Figure name={t`Peak`}>{perSecond(locale, attack.peak_per_second)}</Figure>
        <Figure name={t`Source networks`}>{count(locale, attack.sources)}</Figure>
        <Figure name={t`Edges`}>{count(locale, attack.edges)}</Figure>
        {attack.logins === null ? null : (
          <Figure name={t`Logins`}>{count(locale, attack.logins)}</Figure>
        )}
        {attack.editions === null ? null : <EditionFigures {...attack.editions} />}
        {attack.admitted === null ? null : (
          <Figure name={t`Reached the server`}>{count(locale, attack.admitted)}</Figure>
        )}
      </dl>
    </Panel>
  );
}

/** Attacks on one edition alone are the rule. */
function EditionFigures({ java, bedrock }: NonNullable<SharedAttack["editions"]>) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const names = [...(java > 0 ? [t`Java`] : []), ...(bedrock > 0 ? [t`Bedrock`] : [])];
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
  /** Panels that only the owner and members see. */
  readonly children?: ReactNode;
}

/** Everything about the attack that may also be shown to others. */
export function AttackReportPanels({ attack, threshold, children }: AttackReportPanelsProps) {
  const { i18n, t } = useLingui();
  const reasons = byFrequency(attack.refused);
  return (
    <>
      <Course attack={attack} threshold={threshold} />
      <div className={classes["pair"]}>
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
        {children}
      </div>
    </>
  );
}

function Course({ attack, threshold }: Omit<AttackReportPanelsProps, "children">) {
  const { course, ended_at: end, edges } = attack;
  const { t } = useLingui();
  const { locale } = useLocale();
  const times = useMemo(() => (course ? courseTimes(course) : []), [course]);
  const rate = (value: number) => perSecond(locale, value);
  const limit = threshold === null ? "" : rate(threshold);
  return (
    <Panel
      title={<Trans>Connections per second</Trans>}
      note={
        threshold === null ? undefined : edges > 1 ? (
          <Trans>An attack begins above {limit} on one edge. Edges are added up here.</Trans>
        ) : (
          <Trans>An attack begins above {limit}.</Trans>
        )
      }
    >
      {course ? (
        <TimeChart
          label={t`Connections per second`}
          times={times}
          format={rate}
          formatTime={(time) => timeOfDay(locale, time, course)}
          isPast={end !== null}
          height={200}
          series={[
            { label: t`logins`, tone: "attack", values: course.peaks },
            {
              label: t`reached the server`,
              tone: "protected",
              values: course.admitted.map((players) => players / course.step_seconds),
            },
            ...(threshold === null
              ? []
              : [
                  {
                    label: t`threshold`,
                    tone: "idle" as const,
                    values: course.peaks.map(() => threshold),
                  },
                ]),
          ]}
        />
      ) : (
        <p className={classes["none"]}>
          <Trans>
            There is no course of this attack. It is kept for {attackDetailDays} days, and only if
            every edge has recorded it.
          </Trans>
        </p>
      )}
    </Panel>
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
