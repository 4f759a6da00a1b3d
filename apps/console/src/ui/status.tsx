import type { ReactNode } from "react";
import classes from "./status.module.css";

export type Tone = "protected" | "attack" | "danger" | "idle";

/** A state: always a word, the colour only repeats it. */
export function Status({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={`${classes["status"]} ${classes[tone]}`}>
      <span className={classes["dot"]} />
      {children}
    </span>
  );
}
