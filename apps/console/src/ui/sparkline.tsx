import { areaPath, linePath, niceCeiling, points } from "#src/lib/chart-scale.ts";
import classes from "./chart.module.css";

export type SeriesTone = "accent" | "protected" | "attack" | "idle";

const box = { width: 240, height: 32 };

/** A day as a small graph. `label` describes the line for screen readers. */
export function Sparkline(props: { values: readonly number[]; tone: SeriesTone; label: string }) {
  const path = points(props.values, niceCeiling(Math.max(0, ...props.values)), box);
  return (
    <svg
      className={`${classes["sparkline"]} ${classes[props.tone]}`}
      viewBox={`0 -2 ${box.width} ${box.height + 2}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={props.label}
    >
      <path className={classes["area"]} d={areaPath(path, box)} />
      <path className={classes["line"]} d={linePath(path)} />
    </svg>
  );
}
