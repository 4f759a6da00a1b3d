import { Skeleton, VisuallyHidden } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Attack } from "@palisade/contract/http/attacks";
import { IconShield } from "@tabler/icons-react";
import { count } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { RelativeTime } from "#src/ui/time.tsx";
import { usePeakText } from "../attack-peaks.ts";
import { byFrequency } from "../mitigation/by-frequency.ts";
import { refusalLabels } from "../mitigation/refusal-labels.ts";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { paths } from "#src/lib/paths.ts";
import { Relaxed } from "./attack-panel.tsx";
import classes from "./attacks.module.css";
import { duration } from "@palisade/contract/texts/duration";
import type { useAttacks } from "./use-attacks.ts";

type AttackTimelineProps = Omit<ReturnType<typeof useAttacks>, "running"> & {
  readonly shieldId: string;
  readonly title?: ReactNode;
};

/** All attacks, including the current one, which also has a panel above. */
export function AttackTimeline(props: AttackTimelineProps) {
  const { attacks, error, isPending, retry, title = <Trans>Attacks</Trans>, ...more } = props;
  const { t } = useLingui();
  return (
    <Panel title={title} className={classes["timeline"]}>
      {attacks ? (
        <AttackList attacks={attacks} {...more} />
      ) : isPending ? (
        <LoadingRegion className={classes["skeletons"]}>
          <Skeleton height={40} />
          <Skeleton height={40} />
        </LoadingRegion>
      ) : (
        <ErrorState compact error={error} title={t`Failed to fetch attacks`} onRetry={retry} />
      )}
    </Panel>
  );
}

/** A list of attacks that lead to their pages. */
interface ListProps extends Pick<
  AttackTimelineProps,
  "shieldId" | "hasEarlier" | "isFetchingEarlier" | "showEarlier"
> {
  readonly attacks: readonly Attack[];
}

export function AttackList({
  shieldId,
  attacks,
  hasEarlier,
  isFetchingEarlier,
  showEarlier,
}: ListProps) {
  const { t } = useLingui();
  if (attacks.length === 0) {
    return (
      <EmptyState
        compact
        icon={<IconShield size={22} stroke={1.6} />}
        title={t`No attacks yet.`}
        text={t`Attacks are listed here with their peak, their sources and the reasons for refusal.`}
      />
    );
  }
  return (
    <>
      <ol className={classes["list"]}>
        {attacks.map((attack) => (
          <Item key={attack.id} attack={attack} shieldId={shieldId} />
        ))}
      </ol>
      {hasEarlier ? (
        <ActionButton
          variant="default"
          size="compact-sm"
          className={classes["more"]}
          loading={isFetchingEarlier}
          onClick={showEarlier}
        >
          <Trans>Show earlier attacks</Trans>
        </ActionButton>
      ) : null}
    </>
  );
}

function Item({ attack, shieldId }: { attack: Attack; shieldId: string }) {
  const { i18n } = useLingui();
  const { locale } = useLocale();
  const { started_at: start, ended_at: end } = attack;
  const reasons = byFrequency(attack.refused);
  const refused = count(
    locale,
    reasons.reduce((sum, { amount }) => sum + amount, 0),
  );
  const sources = count(locale, attack.sources);
  const peak = usePeakText()(attack);
  const main = reasons[0] ? i18n._(refusalLabels[reasons[0].reason]) : null;
  return (
    <li data-running={end === null || undefined}>
      <p className={classes["when"]}>
        <Link
          to={paths.shield}
          params={{ shieldId, section: "attacks" }}
          search={{ attack: attack.id }}
        >
          <VisuallyHidden>
            <Trans>Attack,</Trans>{" "}
          </VisuallyHidden>
          <RelativeTime at={start} />
        </Link>
        <span>
          {end === null ? (
            <Trans>ongoing</Trans>
          ) : (
            duration(locale, Date.parse(end) - Date.parse(start))
          )}
        </span>
      </p>
      <p className={classes["what"]}>
        <Trans>
          peak {peak} · networks: {sources} · refused: {refused}
        </Trans>
        {main === null ? null : (
          <>
            {"\u00a0"}· {main}
          </>
        )}
      </p>
      <Relaxed level={attack.relaxed_to} />
    </li>
  );
}
