import type { ReactNode } from "react";
import classes from "./placeholder.module.css";

interface EmptyStateProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: ReactNode;
  /** The one next step. */
  readonly action?: ReactNode;
  readonly compact?: boolean;
}

export function EmptyState({ icon, title, text, action, compact }: EmptyStateProps) {
  return (
    <div className={`${classes["placeholder"]} ${compact ? classes["compact"] : ""}`}>
      <span className={classes["icon"]}>{icon}</span>
      <p className={classes["title"]}>{title}</p>
      <p className={classes["text"]}>{text}</p>
      {action ? <div className={classes["action"]}>{action}</div> : null}
    </div>
  );
}
