import { Switch } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { RefusalReason } from "@palisade/contract/edge/telemetry";
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
  /** As the edges have it: the figures are theirs. */
  readonly isStored: boolean;
  /** Whether something is chosen that cannot be tried out. */
  readonly leavesOutChecks: boolean;
  readonly shadowed: Readonly<Partial<Record<RefusalReason, number>>>;
}

/** Shown above everything: while it is on, nothing on this page protects anybody. */
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
          Try settings out: whoever they would refuse is counted and logged, and let in all the
          same. Neither bots nor players are held up.
        </Trans>
      </p>
      <HintLine>
        {leavesOutChecks ? (
          <Trans>
            Checks of the game and of the account are not tried in shadow mode: whom they would stop
            is not counted.
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
          <Trans>In the last 24 hours nobody would have been refused.</Trans>
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
