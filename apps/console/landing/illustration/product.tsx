import { Trans, useLingui } from "@lingui/react/macro";
import { MinecraftText } from "#src/ui/minecraft-text.tsx";
import { AttackGraph } from "./attack-graph.tsx";
import classes from "./product.module.css";
import row from "./server-row.module.css";

/** A drawing of the product with an invented server. The caption says so, because it looks real. */
export function Product() {
  const { t } = useLingui();
  return (
    <figure className={classes["figure"]}>
      <div className={classes["window"]}>
        <div className={classes["head"]}>
          <span>skyline.example</span>
          <span className={classes["state"]}>
            <Trans>Under attack</Trans>
          </span>
        </div>
        <AttackGraph
          label={t`Graph: refused connections rise steeply and fall again while the players stay.`}
        />
        <ul className={classes["legend"]}>
          <li data-line="refused">
            <Trans>4,812/s refused</Trans>
          </li>
          <li data-line="players">
            <Trans>418 players playing</Trans>
          </li>
        </ul>
        <ServerRow />
      </div>
      <figcaption>
        <Trans>Illustration with an invented server and invented numbers</Trans>
      </figcaption>
    </figure>
  );
}

/** The server as the game's own list shows it, on the game's dark background in both themes. */
function ServerRow() {
  const { t } = useLingui();
  return (
    <div className={row["row"]}>
      <span className={row["icon"]} />
      <div className={row["lines"]}>
        <div className={row["first"]}>
          <span>Skyline Survival</span>
          <span className={row["players"]}>
            418/600
            <svg viewBox="0 0 19 12" width={19} height={12} aria-hidden="true">
              {[0, 1, 2, 3, 4].map((bar) => (
                <rect key={bar} x={bar * 4} y={8 - bar * 2} width={3} height={4 + bar * 2} />
              ))}
            </svg>
          </span>
        </div>
        <MinecraftText text={t`§6§lSeason 7 §ais live§7, join us`} />
      </div>
    </div>
  );
}
