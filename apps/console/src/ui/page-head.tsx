import type { ReactNode } from "react";
import classes from "./page-head.module.css";

export function PageHead({ title, aside }: { title: ReactNode; aside?: ReactNode }) {
  return (
    <div className={classes["head"]}>
      <h1>{title}</h1>
      {aside}
    </div>
  );
}
