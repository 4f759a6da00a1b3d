import { Trans } from "@lingui/react/macro";
import type { AntibotLevel, TryChallenge } from "@palisade/contract/edge/plain-values";
import { gradeOfTrial } from "./grade-of-trial.ts";
import classes from "./trial.module.css";

interface ExpectationsProps {
  readonly challenge: TryChallenge;
  readonly level: AntibotLevel;
}

/** The course of a join by the address, as a person sees it, by version of the game. */
export function Expectations({ challenge, level }: ExpectationsProps) {
  const grade = gradeOfTrial(challenge, level);
  return (
    <section className={classes["expected"]}>
      <h3>
        <Trans>What to expect</Trans>
      </h3>
      <dl>
        <div>
          <dt>
            <Trans>During the check</Trans>
          </dt>
          <dd>
            {grade === "protocol" ? (
              <Trans>Nothing but the loading screen, for a moment.</Trans>
            ) : grade === "captcha" ? (
              <Trans>
                You fall in an empty world for a few seconds, then hold a map with a code. Type the
                code in the chat.
              </Trans>
            ) : (
              <Trans>You fall in an empty world for a few seconds. Do not press any key.</Trans>
            )}
          </dd>
        </div>
        <div>
          <dt>
            <Trans>1.20.5 and newer</Trans>
          </dt>
          <dd>
            <Trans>Then the game connects again by itself, and you are on your server.</Trans>
          </dd>
        </div>
        <div>
          <dt>
            <Trans>1.7.2 to 1.20.4</Trans>
          </dt>
          <dd>
            <Trans>
              Then you are disconnected with your rejoin message. Join by the address again within
              two minutes, and you are on your server.
            </Trans>
          </dd>
        </div>
        <div>
          <dt>
            <Trans>Older versions</Trans>
          </dt>
          <dd>
            <Trans>They cannot be checked and are refused.</Trans>
          </dd>
        </div>
        <div>
          <dt>
            <Trans>Again</Trans>
          </dt>
          <dd>
            <Trans>After two minutes, the address checks you anew. Each check is in the log.</Trans>
          </dd>
        </div>
      </dl>
    </section>
  );
}
