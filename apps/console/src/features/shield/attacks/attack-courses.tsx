import { Trans, useLingui } from "@lingui/react/macro";
import { attackDetailDays, type SharedAttack } from "@palisade/contract/http/attacks";
import { useMemo } from "react";
import { perSecond } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Panel } from "#src/ui/panel.tsx";
import { type Series, TimeChart } from "#src/ui/time-chart.tsx";
import classes from "./attack.module.css";
import { courseTimes, timeOfDay } from "./course-times.ts";

type Course = NonNullable<SharedAttack["course"]>;

interface CourseProps {
  readonly attack: SharedAttack;
  /** Null: unknown, or not for this reader. */
  readonly threshold: number | null;
}

export function ConnectionCourse({ attack, threshold }: CourseProps) {
  const { course, edges } = attack;
  const { t } = useLingui();
  const { locale } = useLocale();
  const limit = threshold === null ? "" : perSecond(locale, threshold);
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
        <CourseChart
          label={t`Connections per second`}
          attack={{ ...attack, course }}
          threshold={threshold}
          series={[
            { label: t`logins`, tone: "attack", values: course.peaks },
            {
              label: t`reached the server`,
              tone: "protected",
              values: course.admitted.map((players) => players / course.step_seconds),
            },
          ]}
        />
      ) : (
        <NoCourse />
      )}
    </Panel>
  );
}

/** Datagrams at the Bedrock ports that belong to no player. */
export function DatagramCourse({ attack, threshold }: CourseProps) {
  const { course } = attack;
  const { t } = useLingui();
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
        <CourseChart
          label={t`Bedrock datagrams per second`}
          attack={{ ...attack, course }}
          threshold={threshold}
          series={[{ label: t`datagrams`, tone: "attack", values: course.datagrams }]}
        />
      ) : (
        <NoCourse />
      )}
    </Panel>
  );
}

interface CourseChartProps extends Pick<CourseProps, "threshold"> {
  readonly label: string;
  readonly attack: { readonly course: Course; readonly ended_at: string | null };
  readonly series: readonly Series[];
}

/** Lines over the time of the attack, and the threshold. */
function CourseChart({ label, attack, threshold, series }: CourseChartProps) {
  const { course, ended_at: end } = attack;
  const { t } = useLingui();
  const { locale } = useLocale();
  const times = useMemo(() => courseTimes(course), [course]);
  const line =
    threshold === null
      ? []
      : [{ label: t`threshold`, tone: "idle" as const, values: times.map(() => threshold) }];
  return (
    <TimeChart
      label={label}
      times={times}
      format={(value) => perSecond(locale, value)}
      formatTime={(time) => timeOfDay(locale, time, course)}
      isPast={end !== null}
      height={200}
      series={[...series, ...line]}
    />
  );
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
