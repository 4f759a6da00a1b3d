import type { ReactNode } from "react";
import classes from "./banner.module.css";

interface BannerProps {
  readonly tone: "protected" | "attack" | "danger" | "neutral";
  readonly icon: ReactNode;
  readonly aside?: ReactNode;
  /** On phones the aside stands below the text: for a button, which would leave it no room. */
  readonly stacks?: boolean;
  /** Screen readers announce it when it appears: at once, or at the next pause. */
  readonly live?: "assertive" | "polite";
  readonly children: ReactNode;
}

export function Banner({ tone, icon, aside, stacks, live, children }: BannerProps) {
  return (
    <div
      className={`${classes["banner"]} ${classes[tone]}`}
      data-stacks={stacks || undefined}
      {...(live ? { role: live === "assertive" ? "alert" : "status" } : {})}
    >
      <span className={classes["icon"]}>{icon}</span>
      <div className={classes["body"]}>{children}</div>
      {aside ? <div className={classes["aside"]}>{aside}</div> : null}
    </div>
  );
}
