import { Button } from "@mantine/core";
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import type { LogEntry } from "@palisade/contract/http/logs";
import { IconBroadcast, IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { Status } from "#src/ui/status.tsx";
import { LogList } from "./log-list.tsx";
import classes from "./logs.module.css";
import type { LogSearch } from "./logs-search.ts";
import { useTail } from "./use-tail.ts";

interface LiveLogProps {
  readonly shieldId: string;
  readonly search: LogSearch;
  readonly details: (entry: LogEntry) => ReactNode;
}

/** Logins as they arrive. Scrolling down pauses the list, so that rows stay under the pointer. */
export function LiveLog({ shieldId, search, details }: LiveLogProps) {
  const { t } = useLingui();
  const [isPaused, setPaused] = useState(false);
  const [heldAt, holdAt] = useState<string | null>(null);
  const [toTop, setToTop] = useState(0);
  const tail = useTail(shieldId, search, heldAt);
  const { state, waiting, entries, newest } = tail;
  const pause = () => {
    setPaused(!isPaused);
    holdAt(isPaused ? null : newest);
    if (isPaused) setToTop((times) => times + 1);
  };
  const scrollTo = (isTop: boolean) => {
    if (isTop && !isPaused) holdAt(null);
    if (!isTop && heldAt === null) holdAt(newest);
  };
  if (tail.error !== null) {
    return (
      <ErrorState
        compact
        error={tail.error}
        title={t`Error fetching the log`}
        onRetry={() => globalThis.location.reload()}
      />
    );
  }
  return (
    <>
      <div className={classes["liveBar"]}>
        <span role="status">
          {state === "lost" ? (
            <Status tone="attack">
              <Trans>Connection lost. Trying again…</Trans>
            </Status>
          ) : (
            <Status tone={isPaused ? "idle" : "protected"}>
              {isPaused ? <Trans>Paused</Trans> : <Trans>Following live</Trans>}
            </Status>
          )}
        </span>
        {waiting > 0 ? (
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => {
              holdAt(isPaused ? newest : null);
              setToTop((times) => times + 1);
            }}
          >
            <Plural value={waiting} one="Show # new entry" other="Show # new entries" />
          </Button>
        ) : null}
        <Button
          size="compact-sm"
          variant="default"
          className={classes["pause"]}
          leftSection={
            isPaused ? (
              <IconPlayerPlay size={15} stroke={1.6} />
            ) : (
              <IconPlayerPause size={15} stroke={1.6} />
            )
          }
          onClick={pause}
        >
          {isPaused ? <Trans>Continue</Trans> : <Trans>Pause</Trans>}
        </Button>
      </div>
      {entries.length === 0 ? (
        <EmptyState
          compact
          icon={<IconBroadcast size={22} stroke={1.6} />}
          title={t`Waiting for logins`}
          text={t`Each login appears here about a second after it has reached an edge.`}
        />
      ) : (
        <LogList entries={entries} details={details} onTop={scrollTo} toTop={toTop} />
      )}
    </>
  );
}
