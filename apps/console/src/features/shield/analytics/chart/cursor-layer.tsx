import { Trans, useLingui } from "@lingui/react/macro";
import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import { nearestIndex } from "#src/lib/chart-scale.ts";
import classes from "./chart.module.css";
import { useCursor } from "./cursor.ts";
import type { ChartTimes } from "./series.ts";
import { useTimeLabel } from "./time-label.ts";

interface CursorLayerProps {
  readonly label: string;
  readonly times: ChartTimes;
  /** The values at the time of that index, in words. */
  readonly describe: (index: number) => string;
  /** From the first to the last index of what was selected. */
  readonly onZoom: (from: number, to: number) => void;
  readonly children: ReactNode;
}

interface Selection {
  readonly from: number;
  readonly to: number;
}

const chartHelpId = "chart-help";
const pageStep = 10;
/** Fewer times than this are a click, or a hand that shook. */
const zoomMin = 2;

/**
 * The part of a chart that answers pointer and keyboard. It is a slider over the times: arrow keys read
 * values, with Shift they select, and Enter zooms in.
 */
export function CursorLayer({ label, times, describe, onZoom, children }: CursorLayerProps) {
  const { t } = useLingui();
  const timeLabel = useTimeLabel();
  const index = useCursor((state) => state.index);
  const choose = useCursor((state) => state.choose);
  const [selection, setSelection] = useState<Selection | null>(null);
  const pressed = useRef<number | null>(null);
  const last = Math.max(0, times.length - 1);
  const current = Math.min(index ?? last, last);
  const part = (of: number) => `${(of / Math.max(1, last)) * 100}%`;

  function indexAt(event: PointerEvent<HTMLDivElement>): number {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return nearestIndex(event.clientX - left, width, times.length);
  }

  function press(event: PointerEvent<HTMLDivElement>) {
    // A finger reads values: zooming by touch would take the page's scrolling away.
    if (event.pointerType === "touch" || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    pressed.current = indexAt(event);
  }

  function follow(event: PointerEvent<HTMLDivElement>) {
    const at = indexAt(event);
    choose(at);
    if (pressed.current !== null) setSelection({ from: pressed.current, to: at });
  }

  function release(event: PointerEvent<HTMLDivElement>) {
    const from = pressed.current;
    pressed.current = null;
    if (from !== null) zoom({ from, to: indexAt(event) });
  }

  function zoom({ from, to }: Selection) {
    setSelection(null);
    if (Math.abs(to - from) >= zoomMin) onZoom(Math.min(from, to), Math.max(from, to));
  }

  function cancel() {
    pressed.current = null;
    setSelection(null);
    choose(null);
  }

  function move(event: KeyboardEvent) {
    const targets: Partial<Record<string, number>> = {
      ArrowLeft: current - 1,
      ArrowDown: current - 1,
      ArrowRight: current + 1,
      ArrowUp: current + 1,
      PageUp: current - pageStep,
      PageDown: current + pageStep,
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    if (target !== undefined) {
      event.preventDefault();
      const to = Math.min(last, Math.max(0, target));
      setSelection(event.shiftKey ? { from: selection?.from ?? current, to } : null);
      choose(to);
    } else if (event.key === "Enter" && selection !== null) {
      zoom(selection);
    } else if (event.key === "Escape") cancel();
  }

  const chosen = `${timeLabel(times[current] ?? 0)}: ${describe(current)}`;
  return (
    <div
      className={classes["stage"]}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-describedby={chartHelpId}
      aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight Enter Escape"
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={current}
      aria-valuetext={selection ? `${t`Selection`}, ${chosen}` : chosen}
      onPointerDown={press}
      onPointerMove={follow}
      onPointerUp={release}
      onPointerCancel={cancel}
      onPointerLeave={() => (pressed.current === null ? choose(null) : undefined)}
      onKeyDown={move}
      onBlur={cancel}
    >
      {children}
      {selection === null ? null : (
        <span
          className={classes["selection"]}
          style={{
            left: part(Math.min(selection.from, selection.to)),
            width: part(Math.abs(selection.to - selection.from)),
          }}
        />
      )}
      {index === null ? null : (
        <span className={classes["cursor"]} style={{ left: part(current) }} aria-hidden="true">
          <span
            className={classes["cursorTime"]}
            style={{ translate: `${-(current / Math.max(1, last)) * 100}% 0` }}
          >
            {timeLabel(times[current] ?? 0)}
          </span>
        </span>
      )}
    </div>
  );
}

/** How every chart of the page is used by keyboard; only screen readers tell it. */
export function ChartHelp() {
  return (
    <p id={chartHelpId} hidden>
      <Trans>
        Arrow keys read the values. Shift with arrow keys selects a period, Enter zooms into it, and
        Escape ends the selection.
      </Trans>
    </p>
  );
}
