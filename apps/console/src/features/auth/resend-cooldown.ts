import { useEffect, useState } from "react";

const keys = { verification: "resend_available_at", reset: "reset_resend_available_at" } as const;
const cooldownMs = 120_000;

/** What a code is for; each has a cooldown of its own, as the server has. */
export type CodePurpose = keyof typeof keys;

/** Whole seconds until a code may be sent again; 0 when it may. */
export function secondsLeft(storedUntil: string | null, nowMs: number): number {
  const until = Number(storedUntil);
  if (storedUntil === null || !Number.isFinite(until)) return 0;
  // A clock set back must not lock the button for longer than one cooldown.
  return Math.ceil(Math.min(cooldownMs, Math.max(0, until - nowMs)) / 1000);
}

/** Starts the cooldown, by the server's own figure where it gave one. */
export function startCooldown(purpose: CodePurpose, seconds = cooldownMs / 1000): void {
  localStorage.setItem(keys[purpose], String(Date.now() + seconds * 1000));
}

function read(purpose: CodePurpose): number {
  return secondsLeft(localStorage.getItem(keys[purpose]), Date.now());
}

/** The countdown; kept outside the page, so that a reload does not reset it. */
export function useCooldown(purpose: CodePurpose): number {
  const [left, setLeft] = useState(() => read(purpose));
  useEffect(() => {
    const timer = setInterval(() => setLeft(read(purpose)), 250);
    return () => clearInterval(timer);
  }, [purpose]);
  return left;
}
