import classes from "./segments.module.css";

const segmentsMax = 24;

/** A bar of segments, decoration beside the same numbers in words. */
export function Segments({ total, filled }: { total: number; filled: number }) {
  const shown = Math.min(segmentsMax, total);
  // If there are too many, each segment stands for several.
  const lit = total > segmentsMax ? Math.round((filled / total) * shown) : filled;
  return (
    <div className={classes["segments"]} aria-hidden="true">
      {Array.from({ length: shown }, (_, index) => (
        <span key={index} data-filled={index < lit || undefined} />
      ))}
    </div>
  );
}
