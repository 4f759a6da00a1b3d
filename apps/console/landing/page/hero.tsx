import { Trans } from "@lingui/react/macro";
import { consolePaths } from "@palisade/contract/console-paths";
import { productFeatures } from "@palisade/contract/product-features";
import { Product } from "../illustration/product.tsx";
import classes from "./hero.module.css";

export function Hero() {
  return (
    <section className={classes["hero"]}>
      <div className={classes["words"]}>
        <p className={classes["eyebrow"]}>
          {productFeatures.bedrock ? (
            <Trans>Minecraft Java and Bedrock</Trans>
          ) : (
            <Trans>Minecraft Java Edition</Trans>
          )}
        </p>
        <h1>
          <Trans>
            Your players stay. <span>The flood doesn’t.</span>
          </Trans>
        </h1>
        <p className={classes["lead"]}>
          <Trans>
            An always-on filtering network protects your server. Start on the free base plan and
            change settings in a control panel: they apply in about five seconds, even while your
            server is off.
          </Trans>
        </p>
        <div className={classes["buttons"]}>
          <a className="button primary large" href={consolePaths.register}>
            <Trans>Start now</Trans>
          </a>
          <a className="button second large" href="#services">
            <Trans>Read more</Trans>
          </a>
        </div>
        <ul className={classes["facts"]}>
          <li>
            <strong>
              <Trans>≈ 5 s</Trans>
            </strong>
            <Trans>until a setting applies</Trans>
          </li>
          <li>
            <strong>
              <Trans>€0</Trans>
            </strong>
            <Trans>for the base plan</Trans>
          </li>
          <li>
            <strong>4</strong>
            <Trans>countries in the network</Trans>
          </li>
        </ul>
      </div>
      <Product />
    </section>
  );
}
