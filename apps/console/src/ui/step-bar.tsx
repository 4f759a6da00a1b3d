import { Trans } from "@lingui/react/macro";
import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./step-bar.module.css";

export interface BarStep {
  readonly title: string;
  readonly state: "done" | "current" | "ahead";
}

interface StepBarProps {
  readonly label: string;
  readonly steps: readonly BarStep[];
  /** Wraps a step that can be opened into a link; returns the content alone for others. */
  readonly renderStep: (step: number, content: ReactNode) => ReactNode;
}

/** Progress through the steps. Phones show only the current title. */
export function StepBar({ label, steps, renderStep }: StepBarProps) {
  const current = steps.findIndex(({ state }) => state === "current") + 1;
  const total = steps.length;
  return (
    <nav aria-label={label} className={classes["bar"]}>
      <p className={classes["position"]} aria-hidden="true">
        <Trans>
          Step {current} of {total}
        </Trans>
      </p>
      <ol>
        {steps.map(({ title, state }, index) => (
          <li
            key={title}
            data-state={state}
            {...(state === "current" ? { "aria-current": "step" as const } : {})}
          >
            {renderStep(
              index + 1,
              <>
                <span className={classes["number"]} aria-hidden="true">
                  {state === "done" ? <IconCheck size={13} stroke={2.2} /> : index + 1}
                </span>
                <span className={classes["title"]}>{title}</span>
              </>,
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
