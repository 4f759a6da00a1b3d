import { Skeleton } from "@mantine/core";
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import type { MitigationReplay } from "@palisade/contract/http/replay";
import { useQuery } from "@tanstack/react-query";
import { IconHistory } from "@tabler/icons-react";
import { absoluteTime, wholeNumber } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { replayQuery } from "./mitigation.queries.ts";
import { ReplayChanges } from "./replay-changes.tsx";
import { OutcomeBars } from "./outcome-bars.tsx";
import classes from "./replay.module.css";
import type { SettingValues } from "./settings.ts";

interface ReplayProps {
  readonly shieldId: string;
  readonly changed: Partial<SettingValues>;
}

/** The logins of the last day under the saved settings and under those in the form. */
export function Replay({ shieldId, changed }: ReplayProps) {
  const { t } = useLingui();
  const query = useQuery(replayQuery(shieldId, changed));
  if (query.isFetching) {
    return (
      <>
        <output className={classes["progress"]}>
          <Trans>
            Trying your changes on the logins of the last 24 hours. This can take some seconds.
          </Trans>
        </output>
        <LoadingRegion className={classes["loading"]}>
          <Skeleton height={44} radius={8} />
          <Skeleton height={44} radius={8} />
          <Skeleton height={120} radius={8} />
        </LoadingRegion>
      </>
    );
  }
  if (query.data === undefined) {
    return (
      <ErrorState
        compact
        error={query.error}
        title={t`The changes could not be tried`}
        onRetry={() => void query.refetch()}
      />
    );
  }
  return <Result replay={query.data} />;
}

function Result({ replay }: { readonly replay: MitigationReplay }) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const { logins, changes } = replay;
  if (logins === 0) {
    return (
      <EmptyState
        compact
        icon={<IconHistory size={22} stroke={1.6} />}
        title={t`No logins in the last 24 hours`}
        text={<Trans>Once players have joined, you can try changes on their logins here.</Trans>}
      />
    );
  }
  const changedCount = changes.reduce((sum, { count }) => sum + count, 0);
  const changed = wholeNumber(locale, changedCount);
  const total = wholeNumber(locale, logins);
  return (
    <div className={classes["result"]}>
      <p className={classes["lead"]} role="status">
        {changedCount === 0 ? (
          <Plural
            value={logins}
            one="Nothing would have changed: the # login of the last 24 hours would have gone the same way."
            other="Nothing would have changed: all # logins of the last 24 hours would have gone the same way."
          />
        ) : (
          <Trans>
            In the last 24 hours, {changed} of {total} logins would have gone differently.
          </Trans>
        )}
      </p>
      <OutcomeBars saved={replay.saved} proposed={replay.proposed} />
      <ReplayChanges changes={changes} />
      <Notes replay={replay} />
    </div>
  );
}

/** Says how far the answer can be trusted. */
function Notes({ replay }: { readonly replay: MitigationReplay }) {
  const { locale } = useLocale();
  const { is_shortened, from, left_out, assumed, differing, account_checks } = replay;
  const since = absoluteTime(locale, new Date(from));
  return (
    <ul className={classes["notes"]}>
      {is_shortened ? (
        <li>
          <Trans>There were more logins. These are the newest, since {since}.</Trans>
        </li>
      ) : null}
      {left_out > 0 ? (
        <li>
          <Plural
            value={left_out}
            one="During a flood the log keeps only a sample: # login is missing in it."
            other="During a flood the log keeps only a sample: # logins are missing in it."
          />
        </li>
      ) : null}
      {assumed > 0 ? (
        <li>
          <Plural
            value={assumed}
            one="The log does not have every detail of # login. What is missing was taken in the player's favor."
            other="The log does not have every detail of # logins. What is missing was taken in the players' favor."
          />
        </li>
      ) : null}
      {differing > 0 ? (
        <li>
          <Plural
            value={differing}
            one="# login really went another way, for example because settings or lists were different at the time."
            other="# logins really went another way, for example because settings or lists were different at the time."
          />
        </li>
      ) : null}
      {account_checks > 0 ? (
        <li>
          <Plural
            value={account_checks}
            other="# of those checked first would need a paid Minecraft account. The log does not say who has one."
          />
        </li>
      ) : null}
      {replay.sizes_unknown ? (
        <li>
          <Trans>
            The log does not have the sizes of packets that are allowed today. Players with mods
            that send larger ones would be refused, and are not counted here.
          </Trans>
        </li>
      ) : null}
      <li>
        <Trans>
          A player who is asked to pass a check is taken to pass it, unless the log says otherwise.
        </Trans>
      </li>
    </ul>
  );
}
