import { Trans } from "@lingui/react/macro";
import { consolePaths } from "@palisade/contract/console-paths";
import classes from "./ping.module.css";

export function Ping() {
  return (
    <section className={classes["ping"]} aria-labelledby="ping-title">
      <div className={classes["inner"]}>
        <div>
          <h2 id="ping-title">
            <Trans>Protection made for low ping</Trans>
          </h2>
          <p>
            <Trans>
              A shield should not slow your players down. You choose the country where they enter
              the filtering network: close to them and to your server.
            </Trans>
          </p>
          <a className="button primary large" href={consolePaths.register}>
            <Trans>Protect your server today</Trans>
          </a>
        </div>
        <ul className={classes["countries"]}>
          <li>
            <img src="/flags/de.svg" width={36} height={24} alt="" loading="lazy" />
            <Trans>Germany</Trans>
          </li>
          <li>
            <img src="/flags/kz.svg" width={36} height={24} alt="" loading="lazy" />
            <Trans>Kazakhstan</Trans>
          </li>
          <li>
            <img src="/flags/ua.svg" width={36} height={24} alt="" loading="lazy" />
            <Trans>Ukraine</Trans>
          </li>
          <li>
            <img src="/flags/se.svg" width={36} height={24} alt="" loading="lazy" />
            <Trans>Sweden</Trans>
          </li>
        </ul>
      </div>
    </section>
  );
}
