import { Trans, useLingui } from "@lingui/react/macro";
import type { LogEntry } from "@palisade/contract/http/logs";
import { useId } from "react";
import { labelOfSignal } from "./signal-labels.ts";
import classes from "./suspicion.module.css";

/** Scores from which a stricter check is asked for: one step, and two. */
const oneStep = 40;
const twoSteps = 70;
const scoreMax = 100;

/** The score of an unknown player, and the signals that it is made of, heaviest first. */
export function Suspicion({ score, parts }: NonNullable<LogEntry["suspicion"]>) {
  const { i18n } = useLingui();
  const id = useId();
  const signals = Object.entries(parts).toSorted(([, a], [, b]) => b - a);
  const steps = score >= twoSteps ? 2 : Number(score >= oneStep);
  return (
    <section className={classes["suspicion"]} data-steps={steps} aria-labelledby={id}>
      <p className={classes["head"]}>
        <span id={id} className={classes["name"]}>
          <Trans>Suspicion {score}</Trans>
        </span>
        <span className="dim">
          <Meaning steps={steps} />
        </span>
      </p>
      <div className={classes["scale"]} aria-hidden="true">
        {signals.map(([name, points]) => (
          <span key={name} className={classes["part"]} style={{ flexBasis: `${points}%` }} />
        ))}
        {[oneStep, twoSteps].map((from) => (
          <span
            key={from}
            className={classes["mark"]}
            style={{ insetInlineStart: `${(from / scoreMax) * 100}%` }}
          />
        ))}
      </div>
      <ul className={classes["signals"]}>
        {signals.map(([name, points]) => {
          const label = labelOfSignal(name);
          return (
            <li key={name}>
              <span>{label === undefined ? name.replaceAll("_", " ") : i18n._(label)}</span>
              <span className={classes["points"]}>+{points}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Meaning({ steps }: { readonly steps: number }) {
  if (steps === 0) return <Trans>Below {oneStep}: changes nothing</Trans>;
  if (steps === 1) return <Trans>From {oneStep} on: a stricter check, at Medium and above</Trans>;
  return <Trans>From {twoSteps} on: a check two steps stricter, at Medium and above</Trans>;
}
