import { Trans, useLingui } from "@lingui/react/macro";
import { attackDetailDays, type SharedAttack } from "@palisade/contract/http/attacks";
import { useMemo } from "react";
import { perSecond } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Panel } from "#src/ui/panel.tsx";
import { TimeChart } from "#src/ui/time-chart.tsx";
import classes from "./attack.module.css";
import { courseTimes, timeOfDay } from "./course-times.ts";

interface CourseProps {
  readonly attack: SharedAttack;
  /** Null: unknown, or not for this reader. */
  readonly threshold: number | null;
}

export function ConnectionCourse({ attack, threshold }: CourseProps) {
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
            ...thresholdLine(t`threshold`, threshold, course.peaks.length),
          ]}
        />
      ) : (
        <NoCourse />
      )}
    </Panel>
  );
}

/** Datagrams at the Bedrock ports that belong to no player. */
export function DatagramCourse({ attack: { course, ended_at: end }, threshold }: CourseProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const times = useMemo(() => (course ? courseTimes(course) : []), [course]);
  const rate = (value: number) => perSecond(locale, value);
  return (
    <Panel
      title={<Trans>Bedrock datagrams per second</Trans>}
      note={
        <Trans>
          Pings and requests that belong to no player. Most senders are forged, so they open no
          connection, and no check becomes stricter.
        </Trans>
      }
    >
      {course?.datagrams ? (
        <TimeChart
          label={t`Bedrock datagrams per second`}
          times={times}
          format={rate}
          formatTime={(time) => timeOfDay(locale, time, course)}
          isPast={end !== null}
          height={200}
          series={[
            { label: t`datagrams`, tone: "attack", values: course.datagrams },
            ...thresholdLine(t`threshold`, threshold, course.datagrams.length),
          ]}
        />
      ) : (
        <NoCourse />
      )}
    </Panel>
  );
}

function thresholdLine(label: string, threshold: number | null, points: number) {
  if (threshold === null) return [];
  const values = Array.from({ length: points }, () => threshold);
  return [{ label, tone: "idle" as const, values }];
}

function NoCourse() {
  return (
    <p className={classes["none"]}>
      <Trans>
        There is no course of this attack. It is kept for {attackDetailDays} days, and only if every
        edge has recorded it.
      </Trans>
    </p>
  );
}
