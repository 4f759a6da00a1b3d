import { useEffect, useState } from "react";

/** Whole seconds of `seconds` that are left, told at that moment by the page's own clock. */
export function secondsLeft(seconds: number, toldAtMs: number, nowMs: number): number {
  // A clock set back must not lock anything for longer than the server said.
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
