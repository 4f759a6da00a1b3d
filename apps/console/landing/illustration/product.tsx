import { Trans, useLingui } from "@lingui/react/macro";
import { AttackGraph } from "./attack-graph.tsx";
import classes from "./product.module.css";
import { ServerRow } from "./server-row.tsx";

/** The product drawn, with an invented server: said below it, because it looks real. */
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
          label={t`Graph: connections refused rise steeply and fall again, while the players stay.`}
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
        <Trans>Illustration: server and figures are invented</Trans>
      </figcaption>
    </figure>
  );
}
