import { Trans, useLingui } from "@lingui/react/macro";
import { antibotLevels, type AntibotLevel } from "@palisade/contract/edge/plain-values";
import { IconLock } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { ChoiceCard } from "#src/ui/choice-card.tsx";
import classes from "./mitigation.module.css";
import { Costs, HintLine } from "./setting.tsx";
import { useLevelLabels } from "../level-labels.ts";
import { useSettingLabels } from "./setting-labels.ts";

interface LevelChoiceProps {
  readonly value: AntibotLevel;
  /** The strictest level of the plan. */
  readonly max: AntibotLevel;
  readonly readOnly: boolean;
  readonly hint: ReactNode;
  readonly onChoose: (level: AntibotLevel) => void;
}

export function LevelChoice({ value, max, readOnly, hint, onChoose }: LevelChoiceProps) {
  const labels = useLevelLabels();
  const about = useLevelTexts();
  const legend = useSettingLabels().antibot_level;
  const isLocked = (level: AntibotLevel) => isStricter(level, max);
  return (
    <fieldset className={classes["levels"]}>
      <legend>{legend}</legend>
      <p className={classes["columns"]} aria-hidden="true">
        <span>
          <Trans>What it does</Trans>
        </span>
        <span>
          <Trans>What it costs players</Trans>
        </span>
      </p>
      <div className={classes["scale"]}>
        {antibotLevels.map((level) => (
          <ChoiceCard
            key={level}
            name="antibot_level"
            value={level}
            label={labels[level]}
            checked={value === level}
            disabled={readOnly || isLocked(level)}
            className={classes["level"]}
            onChoose={() => onChoose(level)}
          >
            <span className={classes["named"]}>
              <strong>{labels[level]}</strong>
              <Strictness level={level} />
              {isLocked(level) ? (
                <span className={classes["locked"]}>
                  <IconLock size={14} stroke={1.6} aria-hidden="true" />
                  <Trans>Not in your plan</Trans>
                </span>
              ) : null}
            </span>
            <span className={classes["does"]}>{about[level].does}</span>
            <Costs>{about[level].costs}</Costs>
          </ChoiceCard>
        ))}
      </div>
      <HintLine>{hint}</HintLine>
    </fieldset>
  );
}

/** One bar for each level above Disabled. */
function Strictness({ level }: { level: AntibotLevel }) {
  const [, ...steps] = antibotLevels;
  return (
    <span className={classes["bars"]} aria-hidden="true">
      {steps.map((step) => (
        <span key={step} data-reached={!isStricter(step, level) || undefined} />
      ))}
    </span>
  );
}

export function isStricter(level: AntibotLevel, other: AntibotLevel): boolean {
  return antibotLevels.indexOf(level) > antibotLevels.indexOf(other);
}

function useLevelTexts(): Record<AntibotLevel, { does: string; costs: string }> {
  const { t } = useLingui();
  return {
    disabled: {
      does: t`Does not check for bots.`,
      costs: t`Nothing, until bots fill your server.`,
    },
    low: {
      does: t`Stricter limits for each address and network. During an attack, players must have seen your server in their server list before they can join.`,
      costs: t`Almost nothing. Many players behind one address may have to wait.`,
    },
    medium: {
      does: t`Like Low. During an attack, unknown players must pass the game check. With Advanced AntiBot, also when many new names join at once.`,
      costs: t`Only while players are checked: from 1.20.5 on, new players are let through automatically; with older versions they join twice.`,
    },
    high: {
      does: t`Like Low. Unknown players must always pass the movement check: they stand in an empty world before they join.`,
      costs: t`The first join takes a few seconds; players below 1.20.5 join twice. After that, no checks for as long as verified players stay known.`,
    },
    extreme: {
      does: t`'Under Attack' mode: like High, and every player must solve a captcha once. Use it during a heavy attack.`,
      costs: t`Players read a code and type it, also known players who have passed only a weaker check.`,
    },
  };
}
