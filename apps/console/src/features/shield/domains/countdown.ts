import { useEffect, useState } from "react";

/** Whole seconds left of `seconds`, which the server reported at `toldAtMs` of the page's clock. */
export function secondsLeft(seconds: number, toldAtMs: number, nowMs: number): number {
  // A clock set back must not extend the server's lock.
  return Math.max(0, Math.min(seconds, Math.ceil(seconds - (nowMs - toldAtMs) / 1_000)));
}

/** `1:05` */
export function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export function useCountdown(seconds: number, toldAtMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  const left = secondsLeft(seconds, toldAtMs, now);
  const isRunning = left > 0;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [isRunning]);
  return left;
}
