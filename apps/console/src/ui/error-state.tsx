import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { errorText, statusOf } from "#src/api/errors.ts";
import classes from "./placeholder.module.css";

interface ErrorStateProps {
  readonly error: unknown;
  /** What failed, in the words of the specification. */
  readonly title: string;
  readonly onRetry: () => void;
  readonly compact?: boolean;
}

/** Where content should be: what happened, that nothing is lost, and the way on. */
export function ErrorState({ error, title, onRetry, compact }: ErrorStateProps) {
  const { t } = useLingui();
  const unreachable = t`The server could not be reached. Your settings are kept and players stay protected.`;
  return (
    <div className={`${classes["placeholder"]} ${compact ? classes["compact"] : ""}`} role="alert">
      <span className={classes["icon"]}>
        <IconPlugConnectedX size={22} stroke={1.6} />
      </span>
      <p className={classes["title"]}>{title}</p>
      <p className={classes["text"]}>
        {statusOf(error) === 0 ? unreachable : errorText(error, unreachable)}
      </p>
      <div className={classes["action"]}>
        <Button variant="default" onClick={onRetry}>
          <Trans>Try again</Trans>
        </Button>
      </div>
    </div>
  );
}
