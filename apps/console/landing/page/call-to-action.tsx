import { Trans } from "@lingui/react/macro";
import { consolePaths } from "@palisade/contract/console-paths";
import { operator } from "../operator.ts";
import classes from "./call-to-action.module.css";

export function CallToAction() {
  return (
    <section id="support" className={classes["doubt"]} aria-labelledby="support-title">
      <h2 id="support-title">
        <Trans>Still in doubt?</Trans>
      </h2>
      <p>
        <Trans>
          Put one server behind the free plan and see for yourself. When something is unclear, our
          support answers tickets, with levels for projects that cannot wait.
        </Trans>
      </p>
      <div className={classes["buttons"]}>
        <a className="button primary large" href={consolePaths.register}>
          <Trans>Try for free</Trans>
        </a>
        {operator.discord === "" ? null : (
          <a className="button second large" href={operator.discord} rel="noreferrer">
            <Trans>Our Discord channel</Trans>
          </a>
        )}
      </div>
    </section>
  );
}
