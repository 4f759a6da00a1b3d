import { Trans } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import { lazy, Suspense } from "react";
import classes from "./world-map.module.css";
import type { WorldMapProps } from "./world-map.tsx";

/** The shapes of the countries are large: they load when there is something to show on them. */
const WorldMap = lazy(() =>
  import("./world-map.tsx").then(
    (module) => ({ default: module.WorldMap }),
    // The table beside it says the same.
    () => ({ default: NoMap }),
  ),
);

export function WorldMapLoader(props: WorldMapProps) {
  return (
    <Suspense fallback={<Skeleton className={classes["space"]} />}>
      <WorldMap {...props} />
    </Suspense>
  );
}

function NoMap() {
  return (
    <p className={`${classes["space"]} ${classes["none"]}`}>
      <Trans>The map did not load. The table shows the same figures.</Trans>
    </p>
  );
}
