import { Trans } from "@lingui/react/macro";
import type { ChallengeGrade } from "@palisade/contract/edge/plain-values";
import type { ChallengeTimes } from "@palisade/contract/http/mitigation";
import {
  IconArrowBarToDown,
  IconCheck,
  IconMapSearch,
  IconMinus,
  IconPlugConnected,
  IconShieldBolt,
  IconUserCheck,
  type Icon,
} from "@tabler/icons-react";
import { useId } from "react";
import { count, percent, quantity, seconds } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import type { Acting } from "./acting.ts";
import type { CheckTexts, GradeTexts } from "./challenge-texts.ts";
import classes from "./challenges.module.css";
import { VersionTimes } from "./version-times.tsx";

const icons: Readonly<Record<ChallengeGrade, Icon>> = {
  protocol: IconPlugConnected,
  gravity: IconArrowBarToDown,
  captcha: IconMapSearch,
  premium: IconUserCheck,
};

export type GradeTimes = ChallengeTimes["challenges"][number];

interface GradeCardProps {
  readonly grade: ChallengeGrade;
  readonly texts: GradeTexts;
  readonly acting: Acting;
  readonly typicalMs: number;
  /** Undefined where no player was asked for it. */
  readonly times: GradeTimes | undefined;
}

/** One grade: its checks, and how it went for the players of this shield. */
export function GradeCard({ grade, texts, acting, typicalMs, times }: GradeCardProps) {
  const id = useId();
  const Symbol = icons[grade];
  return (
    <li className={classes["grade"]} data-acting={acting} aria-labelledby={id}>
      <header className={classes["head"]}>
        <span className={classes["symbol"]} aria-hidden="true">
          <Symbol size={18} stroke={1.6} />
        </span>
        <div className={classes["title"]}>
          <h3 id={id}>{texts.name}</h3>
          <p className="dim">{texts.when}</p>
        </div>
        <ActingBadge acting={acting} />
        <Cost medianMs={times?.median_ms ?? null} typicalMs={typicalMs} />
      </header>
      <ul className={classes["checks"]}>
        {texts.checks.map((check) => (
          <Check key={check.name} check={check} isPart={texts.checks.length > 1} />
        ))}
      </ul>
      {times === undefined ? null : <Results times={times} grade={texts.name} />}
    </li>
  );
}

function ActingBadge({ acting }: { acting: Acting }) {
  return (
    <span className={classes["acting"]} data-acting={acting}>
      {acting === "always" ? <IconCheck size={13} stroke={2} aria-hidden="true" /> : null}
      {acting === "attack" ? <IconShieldBolt size={13} stroke={1.8} aria-hidden="true" /> : null}
      {acting === "never" ? <IconMinus size={13} stroke={2} aria-hidden="true" /> : null}
      {acting === "always" ? (
        <Trans>Acts always</Trans>
      ) : acting === "attack" ? (
        <Trans>Acts during attacks</Trans>
      ) : (
        <Trans>Does not act</Trans>
      )}
    </span>
  );
}

/** The time that it takes a player, once. */
function Cost({ medianMs, typicalMs }: { medianMs: number | null; typicalMs: number }) {
  const { locale } = useLocale();
  const time = `${seconds(locale, medianMs ?? typicalMs)} ${{ en: "s", ru: "с" }[locale]}`;
  return (
    <p className={classes["cost"]}>
      <strong>{time}</strong>
      <span className="dim">
        {medianMs === null ? (
          <Trans>typical, once per player</Trans>
        ) : (
          <Trans>median of your players</Trans>
        )}
      </span>
    </p>
  );
}

/** @param isPart the grade has others, whose times add up */
function Check({ check, isPart }: { check: CheckTexts; isPart: boolean }) {
  const { locale } = useLocale();
  const time = quantity(locale, check.typicalMs / 1_000, "second");
  const { versions } = check;
  return (
    <li className={classes["check"]}>
      <div>
        <p className={classes["name"]}>{check.name}</p>
        {versions === undefined ? null : <p className={classes["small"]}>{versions}</p>}
        {isPart ? (
          <p className={classes["small"]}>
            <Trans>typically {time}</Trans>
          </p>
        ) : null}
      </div>
      <p>
        <span className={classes["caption"]}>
          <Trans context="check">What it does</Trans>
        </span>
        {check.does}
      </p>
      <p>
        <span className={classes["caption"]}>
          <Trans>What it stops</Trans>
        </span>
        {check.stops}
      </p>
    </li>
  );
}

function Results({ times, grade }: { times: GradeTimes; grade: string }) {
  const { locale } = useLocale();
  const { passed, failed, versions } = times;
  const all = passed + failed;
  const share = all === 0 ? 0 : (100 * passed) / all;
  const [passedText, failedText] = [count(locale, passed), count(locale, failed)];
  return (
    <footer className={classes["results"]}>
      <div className={classes["bar"]} aria-hidden="true">
        {passed > 0 ? <span data-outcome="passed" style={{ flexGrow: share }} /> : null}
        {failed > 0 ? <span data-outcome="failed" style={{ flexGrow: 100 - share }} /> : null}
      </div>
      <p>
        <Trans>
          <strong>{passedText}</strong> passed and <strong>{failedText}</strong> did not
        </Trans>
        <span className="dim"> · {percent(locale, share)}</span>
      </p>
      <VersionTimes versions={versions} grade={grade} />
    </footer>
  );
}
