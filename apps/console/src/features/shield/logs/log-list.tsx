import { useMediaQuery } from "@mantine/hooks";
import { useLingui } from "@lingui/react/macro";
import type { LogEntry } from "@palisade/contract/http/logs";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";
import { LogRow } from "./log-row.tsx";
import classes from "./logs.module.css";

/** The height of the scrolling area, until it is measured. */
const expectedPx = 600;
const rowPx = 37;
const narrowRowPx = 80;
/** Rows beyond the visible ones: the keyboard's focus moves into them. */
const overscan = 3;
/** Below this width of the window, rows have several lines, and each its own height. */
const narrowBelow = "(max-width: 720px)";
/** This near to the end, the next page is read. */
const nearEndRows = 20;
const atTopPx = 8;

interface LogListProps {
  readonly entries: readonly LogEntry[];
  /** The content of a row that is open. */
  readonly details: (entry: LogEntry) => ReactNode;
  readonly onNearEnd?: () => void;
  /** Told whether the newest entry is in view. */
  readonly onTop?: (isTop: boolean) => void;
  /** A new value scrolls to the newest entry. */
  readonly toTop?: number;
  readonly busy?: boolean;
}

/** Entries of the log as a table of which only the visible rows exist. */
export function LogList({ entries, details, onNearEnd, onTop, toTop, busy }: LogListProps) {
  const { t } = useLingui();
  const scroller = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<string | null>(null);
  // Measuring costs frames while hundreds of rows a second arrive, and rows of one line are alike.
  const [wasOpened, setWasOpened] = useState(false);
  const isNarrow = useMediaQuery(narrowBelow, false, { getInitialValueInEffect: false });
  const isMeasured = isNarrow || wasOpened;
  const toggle = useCallback((id: string | null) => {
    setOpen(id);
    setWasOpened(true);
  }, []);
  // oxlint-disable-next-line react/incompatible-library -- memoised parts take no values of it
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isNarrow ? narrowRowPx : rowPx),
    getItemKey: (index) => entries[index]?.id ?? index,
    overscan,
    initialRect: { width: 0, height: expectedPx },
    useFlushSync: false,
  });
  const rows = virtualizer.getVirtualItems();
  const last = rows.at(-1)?.index ?? 0;
  const isNearEnd = last >= entries.length - nearEndRows;
  useEffect(() => {
    if (isNearEnd) onNearEnd?.();
  }, [isNearEnd, entries.length, onNearEnd]);
  useEffect(() => {
    if (toTop) scroller.current?.scrollTo({ top: 0 });
  }, [toTop]);

  return (
    <div
      ref={scroller}
      className={classes["scroller"]}
      data-busy={busy || undefined}
      onScroll={({ currentTarget }) => onTop?.(currentTarget.scrollTop <= atTopPx)}
    >
      <div role="table" aria-label={t`Logins`} aria-rowcount={-1} className={classes["table"]}>
        <div role="rowgroup" className={classes["head"]}>
          <div role="row" className={classes["row"]}>
            <span role="columnheader">{t`Time`}</span>
            <span role="columnheader">{t`Result`}</span>
            <span role="columnheader">{t`Player`}</span>
            <span role="columnheader">{t`Address`}</span>
            <span role="columnheader">{t`Domain`}</span>
            <span role="columnheader">{t`Version`}</span>
            <span role="columnheader">{t`Trace code`}</span>
          </div>
        </div>
        <div
          role="rowgroup"
          className={classes["rows"]}
          style={{ height: virtualizer.getTotalSize() }}
        >
          {rows.map(({ index, key, start }) => {
            const entry = entries[index];
            if (entry === undefined) return null;
            return (
              <div
                key={key}
                ref={isMeasured ? virtualizer.measureElement : undefined}
                data-index={index}
                role="presentation"
                className={classes["place"]}
                style={{ transform: `translateY(${start}px)` }}
              >
                <LogRow entry={entry} isOpen={open === entry.id} onToggle={toggle} />
                {open === entry.id ? (
                  <div role="row" className={classes["open"]}>
                    <div role="cell" aria-colspan={7}>
                      {details(entry)}
                    </div>
                  </div>
                ) : null}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
