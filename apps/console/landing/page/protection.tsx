import { Trans } from "@lingui/react/macro";
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
        <Trans>What stands between them and your server</Trans>
      </h2>
      <ul className={classes["grid"]}>
        <li>
          <IconRobotOff {...icon} />
          <h3>
            <Trans>Anti-bot</Trans>
          </h3>
          <p>
            <Trans>Built-in checks turn away floods of bots before they reach your server.</Trans>
          </p>
        </li>
        <li>
          <IconEyeOff {...icon} />
          <h3>
            <Trans>Anti-VPN</Trans>
          </h3>
          <p>
            <Trans>Decide whether players may hide behind a VPN or proxy. It is one switch.</Trans>
          </p>
        </li>
        <li>
          <IconClockBolt {...icon} />
          <h3>
            <Trans>Applied in about five seconds</Trans>
          </h3>
          <p>
            <Trans>Change a setting in the middle of an attack, and see it work at once.</Trans>
          </p>
        </li>
        <li>
          <IconMessage2 {...icon} />
          <h3>
            <Trans>Your words, even while it is off</Trans>
          </h3>
          <p>
            <Trans>
              Set the message of the day in the panel; it shows while your server is down.
            </Trans>
          </p>
        </li>
        <li>
          <IconBell {...icon} />
          <h3>
            <Trans>Notifications</Trans>
          </h3>
          <p>
            <Trans>By e-mail and webhooks: you know of an attack without watching for it.</Trans>
          </p>
        </li>
        <li>
          <IconApi {...icon} />
          <h3>
            <Trans>API access</Trans>
          </h3>
          <p>
            <Trans>
              What the panel does, a script can do. <a href="/api/docs/">Read the reference</a>
            </Trans>
          </p>
        </li>
      </ul>
    </section>
  );
}
