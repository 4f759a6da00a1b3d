import type { ReactNode } from "react";
import classes from "./status.module.css";

export type Tone = "protected" | "attack" | "danger" | "idle";

interface StatusProps {
  readonly tone: Tone;
  /** Not the state now: nothing pulses. */
  readonly isPast?: boolean;
  readonly children: ReactNode;
}

/** A state: always a word, the colour only repeats it. */
export function Status({ tone, isPast, children }: StatusProps) {
  return (
    <span className={`${classes["status"]} ${classes[tone]}`} data-past={isPast}>
      <span className={classes["dot"]} />
      {children}
    </span>
  );
}
