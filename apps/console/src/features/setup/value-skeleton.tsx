import { Skeleton } from "@mantine/core";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import classes from "./setup.module.css";

/** Where a figure or name will be. */
export function ValueSkeleton() {
  return (
    <LoadingRegion className={classes["waiting"]}>
      <Skeleton width={72} height={14} />
    </LoadingRegion>
  );
}
