import { Trans } from "@lingui/react/macro";
import classes from "./sections.module.css";

export function Prices() {
  return (
    <section id="prices" className={classes["section"]} aria-labelledby="prices-title">
      <h2 id="prices-title">
        <Trans>Prices without small print</Trans>
      </h2>
      <ul className={classes["columns"]}>
        <li>
          <h3>
            <Trans>A free base plan</Trans>
          </h3>
          <p>
            <Trans>The filtering network stands before free servers as before paid ones.</Trans>
          </p>
        </li>
        <li>
          <h3>
            <Trans>Paid plans for heavy projects</Trans>
          </h3>
          <p>
            <Trans>
              More domains, servers and traffic for networks that have outgrown the base.
            </Trans>
          </p>
        </li>
        <li>
          <h3>
            <Trans>No hidden fees</Trans>
          </h3>
          <p>
            <Trans>The price you see is the price you pay, before anything is charged.</Trans>
          </p>
        </li>
        <li>
          <h3>
            <Trans>No middlemen</Trans>
          </h3>
          <p>
            <Trans>By card, bank or PayPal, into a balance of your own, in euros.</Trans>
          </p>
        </li>
      </ul>
    </section>
  );
}
