import { Trans } from "@lingui/react/macro";
import { IconAdjustments, IconGift, IconShieldCheck } from "@tabler/icons-react";
import classes from "./sections.module.css";

export function Services() {
  return (
    <section id="services" className={classes["section"]} aria-labelledby="services-title">
      <h2 id="services-title">
        <Trans>Set it up once and play on</Trans>
      </h2>
      <ul className={classes["cards"]}>
        <li>
          <IconShieldCheck size={24} stroke={1.6} aria-hidden="true" />
          <h3>
            <Trans>Protection that is always on</Trans>
          </h3>
          <p>
            <Trans>
              Traffic is filtered at all times, not only after an attack has been noticed. An attack
              at night does not have to wake you.
            </Trans>
          </p>
        </li>
        <li>
          <IconGift size={24} stroke={1.6} aria-hidden="true" />
          <h3>
            <Trans>Free to start with</Trans>
          </h3>
          <p>
            <Trans>
              The base plan is free and enough for most administrators. Paid plans are for large
              projects.
            </Trans>
          </p>
        </li>
        <li>
          <IconAdjustments size={24} stroke={1.6} aria-hidden="true" />
          <h3>
            <Trans>You are in control</Trans>
          </h3>
          <p>
            <Trans>
              You decide how strict the checks are, who may join and what the server list shows.
              Every setting is in your control panel.
            </Trans>
          </p>
        </li>
      </ul>
    </section>
  );
}
