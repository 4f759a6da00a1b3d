import { Trans } from "@lingui/react/macro";
import { Day } from "./time.tsx";
import classes from "./plan-tags.module.css";

interface PlanTagsProps {
  readonly isCurrent: boolean;
  /** Its first day, if it is the plan of the next period. */
  readonly beginsAt: string | null;
}

/** Whether a plan is the current one or that of the next period, beside its name. */
export function PlanTags({ isCurrent, beginsAt }: PlanTagsProps) {
  return (
    <>
      {isCurrent ? (
        <span className={classes["tag"]}>
          <Trans>Current plan</Trans>
        </span>
      ) : null}
      {beginsAt === null ? null : (
        <span className={classes["tag"]}>
          <Trans>
            From <Day at={beginsAt} />
          </Trans>
        </span>
      )}
    </>
  );
}
