import { Switch } from "@mantine/core";
import type { MessageDescriptor } from "@lingui/core";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  type ChallengeGrade,
  challengeGrades,
  type RefusalReason,
} from "@palisade/contract/edge/plain-values";
import { IconEye } from "@tabler/icons-react";
import { useId } from "react";
import { count } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Banner } from "#src/ui/banner.tsx";
import classes from "./mitigation.module.css";
import { byFrequency } from "./by-frequency.ts";
import { challengeLabels } from "./challenge-labels.ts";
import { refusalLabels } from "./refusal-labels.ts";
import { HintLine } from "./setting.tsx";

interface ShadowPanelProps {
  readonly field: { readonly name: string; readonly checked?: boolean };
  readonly disabled: boolean;
  /** The stored setting, to which the counts belong. */
  readonly isStored: boolean;
  /** Whether a setting is on that shadow mode does not test. */
  readonly leavesOutChecks: boolean;
  readonly shadowed: Readonly<Partial<Record<RefusalReason, number>>>;
  readonly wouldChallenge: Readonly<Partial<Record<ChallengeGrade, number>>>;
}

/** Shown first: while shadow mode is on, no setting on this page protects the shield. */
export function ShadowPanel(props: ShadowPanelProps) {
  const { field, disabled, isStored, leavesOutChecks, shadowed, wouldChallenge } = props;
  const { t } = useLingui();
  const id = useId();
  return (
    <Banner
      tone={field.checked === true ? "attack" : "neutral"}
      icon={<IconEye size={17} stroke={1.6} />}
    >
      <Switch
        {...field}
        label={t`Shadow mode`}
        labelPosition="left"
        withThumbIndicator={false}
        disabled={disabled}
        aria-describedby={id}
        classNames={{ body: classes["toggle"] ?? "", labelWrapper: classes["label"] ?? "" }}
      />
      <p id={id} className={classes["explained"]}>
        <Trans>
          Tests your settings: players and bots they would refuse are counted and logged, but still
          let in.
        </Trans>
      </p>
      <HintLine>
        {leavesOutChecks ? (
          <Trans>
            Shadow mode checks no clients and accounts. It counts the players who would have to pass
            a check, and cannot tell which of them would fail.
          </Trans>
        ) : null}
      </HintLine>
      {isStored ? <Shadowed shadowed={shadowed} wouldChallenge={wouldChallenge} /> : null}
    </Banner>
  );
}

function Shadowed({
  shadowed,
  wouldChallenge,
}: Pick<ShadowPanelProps, "shadowed" | "wouldChallenge">) {
  const refused = byFrequency(shadowed);
  const grades = challengeGrades.flatMap((grade) => {
    const amount = wouldChallenge[grade] ?? 0;
    return amount > 0 ? [{ key: grade, label: challengeLabels[grade], amount }] : [];
  });
  return (
    <div className={classes["shadowed"]}>
      <p>
        {refused.length === 0 ? (
          <Trans>In the last 24 hours, no login would have been refused.</Trans>
        ) : (
          <Trans>In the last 24 hours these logins would have been refused:</Trans>
        )}
      </p>
      <Counts
        rows={refused.map(({ reason, amount }) => ({
          key: reason,
          label: refusalLabels[reason],
          amount,
        }))}
      />
      {grades.length === 0 ? null : (
        <p className={classes["checked"]}>
          <Trans>These unknown players would have had to pass a check first:</Trans>
        </p>
      )}
      <Counts rows={grades} />
    </div>
  );
}

interface CountsProps {
  readonly rows: readonly {
    readonly key: string;
    readonly label: MessageDescriptor;
    readonly amount: number;
  }[];
}

function Counts({ rows }: CountsProps) {
  const { i18n } = useLingui();
  const { locale } = useLocale();
  if (rows.length === 0) return null;
  return (
    <dl>
      {rows.map(({ key, label, amount }) => (
        <div key={key}>
          <dt>{i18n._(label)}</dt>
          <dd>{count(locale, amount)}</dd>
        </div>
      ))}
    </dl>
  );
}
