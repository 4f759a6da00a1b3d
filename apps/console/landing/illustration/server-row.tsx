import { useLingui } from "@lingui/react/macro";
import { MinecraftText } from "#src/ui/minecraft-text.tsx";
import classes from "./server-row.module.css";

/** The server as the game's own list shows it, on the game's dark ground in both themes. */
export function ServerRow() {
  const { t } = useLingui();
  return (
    <div className={classes["row"]}>
      <span className={classes["icon"]} />
      <div className={classes["lines"]}>
        <div className={classes["first"]}>
          <span>Skyline Survival</span>
          <span className={classes["players"]}>
            418/600
            <svg viewBox="0 0 19 12" width={19} height={12} aria-hidden="true">
              {[0, 1, 2, 3, 4].map((bar) => (
                <rect key={bar} x={bar * 4} y={8 - bar * 2} width={3} height={4 + bar * 2} />
              ))}
            </svg>
          </span>
        </div>
        <MinecraftText text={t`§6§lSeason 7 §ais live§7, come and build`} />
      </div>
    </div>
  );
}
