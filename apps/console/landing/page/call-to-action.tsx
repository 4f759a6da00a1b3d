import { Trans } from "@lingui/react/macro";
import { consolePaths } from "@palisade/contract/console-paths";
import { productFeatures } from "@palisade/contract/product-features";
import { operator } from "../operator.ts";
import classes from "./call-to-action.module.css";

/** The form of a new ticket, which asks visitors to log in first. */
function contactAddress(): string | null {
  if (productFeatures.tickets) return `${consolePaths.support}?new=any`;
  return operator.email === "" ? null : `mailto:${operator.email}`;
}

export function CallToAction() {
  const contact = contactAddress();
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
        {contact === null ? null : (
          <a className="button second large" href={contact}>
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
