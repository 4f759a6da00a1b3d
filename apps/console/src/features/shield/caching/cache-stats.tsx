import { Trans, useLingui } from "@lingui/react/macro";
import type { Caching } from "@palisade/contract/http/caching";
import { IconRefresh } from "@tabler/icons-react";
import { count, percent } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { RelativeTime } from "#src/ui/time.tsx";
import { useMayChange } from "../may-change.ts";
import classes from "./caching.module.css";

interface CacheStatsProps {
  readonly caching: Caching;
  readonly busy: boolean;
  readonly onPurge: () => void;
}

/** Cache hit rate, and the button that empties the cache. */
export function CacheStats({ caching, busy, onPurge }: CacheStatsProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const mayChange = useMayChange();
  const { hit_rate, pings, pings_from_cache, purged_at } = caching;
  const served = count(locale, pings_from_cache);
  const all = count(locale, pings);
  return (
    <Panel title={t`Answered from the cache, 24 h`}>
      <p className={classes["rate"]}>{hit_rate === null ? "–" : percent(locale, hit_rate * 100)}</p>
      <p className="dim">
        {hit_rate === null ? (
          <Trans>No pings in the last 24 hours</Trans>
        ) : (
          <Trans>
            {served} of {all} pings
          </Trans>
        )}
      </p>
      {hit_rate === null ? null : (
        <progress className={classes["bar"]} value={hit_rate} max={1} aria-label={t`Hit rate`} />
      )}
      <div className={classes["purge"]}>
        <p className="dim">
          {purged_at === null ? (
            <Trans>Never purged</Trans>
          ) : (
            <Trans>
              Last purge: <RelativeTime at={purged_at} />
            </Trans>
          )}
        </p>
        {caching.needs_upgrade || !mayChange ? null : (
          <ActionButton
            variant="default"
            leftSection={<IconRefresh size={15} stroke={1.6} />}
            disabled={!caching.caching_enabled}
            loading={busy}
            onClick={onPurge}
          >
            <Trans>Purge cache</Trans>
          </ActionButton>
        )}
      </div>
    </Panel>
  );
}
