import { Trans } from "@lingui/react/macro";
import { IconAdjustments, IconGift, IconShieldCheck } from "@tabler/icons-react";
import classes from "./sections.module.css";

export function Services() {
  return (
    <section id="services" className={classes["section"]} aria-labelledby="services-title">
      <h2 id="services-title">
        <Trans>A shield you set up once, and then forget</Trans>
      </h2>
      <ul className={classes["cards"]}>
        <li>
          <IconShieldCheck size={24} stroke={1.6} aria-hidden="true" />
          <h3>
            <Trans>Filtering that never sleeps</Trans>
          </h3>
          <p>
            <Trans>
              Traffic is filtered at all times, not from the moment somebody notices. When the
              attack comes at night, you need not get up.
            </Trans>
          </p>
        </li>
        <li>
          <IconGift size={24} stroke={1.6} aria-hidden="true" />
          <h3>
            <Trans>Free to begin with</Trans>
          </h3>
          <p>
            <Trans>
              The base plan costs nothing and is made to be enough for most administrators. Heavy
              projects choose a paid plan.
            </Trans>
          </p>
        </li>
        <li>
          <IconAdjustments size={24} stroke={1.6} aria-hidden="true" />
          <h3>
            <Trans>In your hands</Trans>
          </h3>
          <p>
            <Trans>
              How strictly to check, whom to let in, what the server list says: everything is a
              setting of your control panel, not a ticket and a wait.
            </Trans>
          </p>
        </li>
      </ul>
    </section>
  );
}
