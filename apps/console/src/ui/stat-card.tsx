import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { Panel } from "./panel.tsx";
import classes from "./stat-card.module.css";

interface StatCardProps {
  readonly title: string;
  readonly value: ReactNode;
  readonly note: ReactNode;
  readonly picture?: ReactNode;
  readonly loading?: boolean;
}

/** One number with its explanation. It keeps its height while loading, so nothing jumps. */
export function StatCard({ title, value, note, picture, loading }: StatCardProps) {
  return (
    <Panel title={title} className={classes["card"]}>
      <div className={classes["value"]}>
        {loading ? <Skeleton width={92} height={26} /> : value}
      </div>
      <div className={classes["note"]}>{loading ? <Skeleton width={130} height={12} /> : note}</div>
      {picture === undefined ? null : (
        <div className={classes["picture"]}>{loading ? null : picture}</div>
      )}
    </Panel>
  );
}
