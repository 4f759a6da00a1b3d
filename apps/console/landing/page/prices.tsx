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
            <Trans>Free servers are protected by the same filtering network as paid ones.</Trans>
          </p>
        </li>
        <li>
          <h3>
            <Trans>Paid plans for large projects</Trans>
          </h3>
          <p>
            <Trans>
              More domains, servers and traffic for networks that have outgrown the base plan.
            </Trans>
          </p>
        </li>
        <li>
          <h3>
            <Trans>No hidden fees</Trans>
          </h3>
          <p>
            <Trans>
              You see the full price before anything is charged. Every purchase has an invoice.
            </Trans>
          </p>
        </li>
        <li>
          <h3>
            <Trans>No middlemen</Trans>
          </h3>
          <p>
            <Trans>You pay by card, bank or PayPal into your own balance, in euros.</Trans>
          </p>
        </li>
      </ul>
    </section>
  );
}
