import classes from "./attack-graph.module.css";
import { curveOf, playersAt, refusedAt } from "./curves.ts";

const width = 560;
const height = 190;
const refused = curveOf(refusedAt, width, height);
const players = curveOf(playersAt, width, height);

/** Draws the graph once from left to right, as if it were being recorded. */
export function AttackGraph({ label }: { label: string }) {
  return (
    <div className={classes["graph"]}>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        <defs>
          <linearGradient id="flood" x1="0" y1="0" x2="0" y2="1">
            <stop className={classes["floodTop"]} offset="0" />
            <stop className={classes["floodBottom"]} offset="1" />
          </linearGradient>
        </defs>
        {[0.25, 0.5, 0.75].map((share) => (
          <path key={share} className={classes["grid"]} d={`M0 ${height * share}H${width}`} />
        ))}
        <path d={`${refused}L${width} ${height}L0 ${height}Z`} fill="url(#flood)" />
        <path className={classes["refused"]} d={refused} />
        <path className={classes["players"]} d={players} />
      </svg>
      <div className={classes["cover"]} />
    </div>
  );
}
