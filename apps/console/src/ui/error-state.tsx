import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { errorText, statusOf } from "#src/api/errors.ts";
import classes from "./placeholder.module.css";

interface ErrorStateProps {
  readonly error: unknown;
  /** Names what failed. */
  readonly title: string;
  readonly onRetry: () => void;
  readonly compact?: boolean;
}

/** Replaces content that failed to load: the reason, and a button to try again. */
export function ErrorState({ error, title, onRetry, compact }: ErrorStateProps) {
  const { t } = useLingui();
  const unreachable = t`The server could not be reached. Your settings are kept and players stay protected.`;
  const text = statusOf(error) === 0 ? unreachable : errorText(error, unreachable);
  return (
    <div className={`${classes["placeholder"]} ${compact ? classes["compact"] : ""}`} role="alert">
      <span className={classes["icon"]}>
        <IconPlugConnectedX size={22} stroke={1.6} />
      </span>
      <p className={classes["title"]}>{title}</p>
      {title.endsWith(text) ? null : <p className={classes["text"]}>{text}</p>}
      <div className={classes["action"]}>
        <Button variant="default" onClick={onRetry}>
          <Trans>Try again</Trans>
        </Button>
      </div>
    </div>
  );
}
