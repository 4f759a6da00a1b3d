import { Trans } from "@lingui/react/macro";
import { productFeatures } from "@palisade/contract/product-features";
import {
  IconApi,
  IconBell,
  IconClockBolt,
  IconEyeOff,
  IconMessage2,
  IconRobotOff,
} from "@tabler/icons-react";
import classes from "./sections.module.css";

const icon = { size: 22, stroke: 1.6, "aria-hidden": true } as const;

export function Protection() {
  return (
    <section id="protection" className={classes["section"]} aria-labelledby="protection-title">
      <h2 id="protection-title">
        <Trans>How your server is protected</Trans>
      </h2>
      <ul className={classes["grid"]}>
        <li>
          <IconRobotOff {...icon} />
          <h3>
            <Trans>Anti-bot</Trans>
          </h3>
          <p>
            <Trans>Built-in checks stop floods of bots before they reach your server.</Trans>
          </p>
        </li>
        <li>
          <IconEyeOff {...icon} />
          <h3>
            <Trans>Anti-VPN</Trans>
          </h3>
          <p>
            <Trans>One switch decides whether players may join through a VPN or a proxy.</Trans>
          </p>
        </li>
        <li>
          <IconClockBolt {...icon} />
          <h3>
            <Trans>Applied in about five seconds</Trans>
          </h3>
          <p>
            <Trans>Change a setting in the middle of an attack and see the effect at once.</Trans>
          </p>
        </li>
        <li>
          <IconMessage2 {...icon} />
          <h3>
            <Trans>Your messages, even while your server is off</Trans>
          </h3>
          <p>
            <Trans>
              Set the message of the day in the panel. Players see it while your server is down.
            </Trans>
          </p>
        </li>
        <li>
          <IconBell {...icon} />
          <h3>
            <Trans>Notifications</Trans>
          </h3>
          <p>
            {productFeatures.attackNotifications ? (
              <Trans>An e-mail or a webhook tells you about an attack as it starts.</Trans>
            ) : (
              <Trans>An e-mail tells you when your account or one of your domains needs you.</Trans>
            )}
          </p>
        </li>
        <li>
          <IconApi {...icon} />
          <h3>
            <Trans>API access</Trans>
          </h3>
          <p>
            <Trans>
              A script can do everything the panel does. <a href="/api/docs/">Read the reference</a>
            </Trans>
          </p>
        </li>
      </ul>
    </section>
  );
}
