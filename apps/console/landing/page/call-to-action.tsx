import { Trans } from "@lingui/react/macro";
import { consolePaths } from "@palisade/contract/console-paths";
import { productFeatures } from "@palisade/contract/product-features";
import { operator } from "../operator.ts";
import classes from "./call-to-action.module.css";

export function CallToAction() {
  return (
    <section id="support" className={classes["section"]} aria-labelledby="support-title">
      <h2 id="support-title">
        <Trans>Still in doubt?</Trans>
      </h2>
      <p>
        {productFeatures.tickets ? (
          <Trans>
            Protect one server on the free plan and see for yourself. If something is unclear, open
            a ticket and our support answers.
          </Trans>
        ) : (
          <Trans>
            Protect one server on the free plan and see for yourself. If something is unclear, write
            to us.
          </Trans>
        )}
      </p>
      <div className={classes["buttons"]}>
        <a className="button primary large" href={consolePaths.register}>
          <Trans>Try for free</Trans>
        </a>
        {operator.email === "" ? null : (
          <a className="button second large" href={`mailto:${operator.email}`}>
            <Trans>Contact support</Trans>
          </a>
        )}
        {operator.discord === "" ? null : (
          <a className="button second large" href={operator.discord} rel="noreferrer">
            <Trans>Our Discord channel</Trans>
          </a>
        )}
      </div>
    </section>
  );
}
