import type { ReactNode } from "react";
import classes from "./banner.module.css";

interface BannerProps {
  readonly tone: "protected" | "attack" | "danger" | "neutral";
  readonly icon: ReactNode;
  readonly aside?: ReactNode;
  /** Screen readers announce it when it appears: at once, or at the next pause. */
  readonly live?: "assertive" | "polite";
  readonly children: ReactNode;
}

export function Banner({ tone, icon, aside, live, children }: BannerProps) {
  return (
    <div
      className={`${classes["banner"]} ${classes[tone]}`}
      {...(live ? { role: live === "assertive" ? "alert" : "status" } : {})}
    >
      <span className={classes["icon"]}>{icon}</span>
      <div className={classes["body"]}>{children}</div>
      {aside ? <div className={classes["aside"]}>{aside}</div> : null}
    </div>
  );
}
