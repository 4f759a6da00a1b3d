import { Switch } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { RefusalReason } from "@palisade/contract/edge/plain-values";
import { IconEye } from "@tabler/icons-react";
import { useId } from "react";
import { count } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Banner } from "#src/ui/banner.tsx";
import classes from "./mitigation.module.css";
import { byFrequency } from "./by-frequency.ts";
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
}

/** Shown first: while shadow mode is on, no setting on this page protects the shield. */
export function ShadowPanel(props: ShadowPanelProps) {
  const { field, disabled, isStored, leavesOutChecks, shadowed } = props;
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
            Shadow mode does not check clients and accounts, so players that these checks would stop
            are not counted.
          </Trans>
        ) : null}
      </HintLine>
      {isStored ? <Shadowed shadowed={shadowed} /> : null}
    </Banner>
  );
}

function Shadowed({ shadowed }: Pick<ShadowPanelProps, "shadowed">) {
  const { i18n } = useLingui();
  const { locale } = useLocale();
  const rows = byFrequency(shadowed);
  return (
    <div className={classes["shadowed"]}>
      <p>
        {rows.length === 0 ? (
          <Trans>In the last 24 hours, no login would have been refused.</Trans>
        ) : (
          <Trans>In the last 24 hours these logins would have been refused:</Trans>
        )}
      </p>
      {rows.length === 0 ? null : (
        <dl>
          {rows.map(({ reason, amount }) => (
            <div key={reason}>
              <dt>{i18n._(refusalLabels[reason])}</dt>
              <dd>{count(locale, amount)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
