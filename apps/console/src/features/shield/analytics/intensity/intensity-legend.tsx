import { Trans } from "@lingui/react/macro";
import { intensitySteps } from "./intensity.ts";
import classes from "./intensity.module.css";

/** Which colour is much. */
export function IntensityLegend() {
  return (
    <span className={`${classes["scale"]} ${classes["scaled"]}`}>
      <Trans>few</Trans>
      {Array.from({ length: intensitySteps + 1 }, (_, step) => (
        <span key={step} className={classes["step"]} data-intensity={step} />
      ))}
      <Trans>many</Trans>
    </span>
  );
}
