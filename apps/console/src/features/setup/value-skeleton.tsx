import { Skeleton } from "@mantine/core";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import classes from "./setup.module.css";

/** Placeholder for a value that is loading. */
export function ValueSkeleton() {
  return (
    <LoadingRegion className={classes["waiting"]}>
      <Skeleton width={72} height={14} />
    </LoadingRegion>
  );
}
