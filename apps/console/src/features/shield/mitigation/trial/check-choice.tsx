import { Trans, useLingui } from "@lingui/react/macro";
import {
  tryChallenges,
  type AntibotLevel,
  type TryChallenge,
} from "@palisade/contract/edge/plain-values";
import { ChoiceCard } from "#src/ui/choice-card.tsx";
import { useLevelLabels } from "../../level-labels.ts";
import { useGradeTexts } from "../challenges/challenge-texts.ts";
import { gradeOfTrial } from "./grade-of-trial.ts";
import classes from "./trial.module.css";

interface CheckChoiceProps {
  readonly value: TryChallenge;
  readonly level: AntibotLevel;
  readonly disabled: boolean;
  readonly onChoose: (challenge: TryChallenge) => void;
}

/** The check that the address asks for. */
export function CheckChoice({ value, level, disabled, onChoose }: CheckChoiceProps) {
  const { t } = useLingui();
  const grades = useGradeTexts();
  const levelName = useLevelLabels()[level];
  const ofLevel = grades[gradeOfTrial("level", level)].name;
  const texts: Record<TryChallenge, { name: string; about: string }> = {
    level: {
      name: t`As your level asks`,
      about: t`Level ${levelName}: ${ofLevel}`,
    },
    gravity: { name: grades.gravity.name, about: t`As at level High` },
    captcha: { name: grades.captcha.name, about: t`As at level Extreme` },
  };
  return (
    <fieldset className={classes["choice"]}>
      <legend>
        <Trans>Check to ask for</Trans>
      </legend>
      <div className={classes["cards"]}>
        {tryChallenges.map((challenge) => (
          <ChoiceCard
            key={challenge}
            name="try_challenge"
            value={challenge}
            label={texts[challenge].name}
            checked={value === challenge}
            disabled={disabled}
            onChoose={() => onChoose(challenge)}
          >
            <strong className={classes["name"]}>{texts[challenge].name}</strong>
            <span className={classes["about"]}>{texts[challenge].about}</span>
          </ChoiceCard>
        ))}
      </div>
    </fieldset>
  );
}
