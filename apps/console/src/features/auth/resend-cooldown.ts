import { useEffect, useState } from "react";

const keys = { verification: "resend_available_at", reset: "reset_resend_available_at" } as const;
const cooldownMs = 120_000;

/** The purpose of a code. Each has its own cooldown, as in the api. */
export type CodePurpose = keyof typeof keys;

/** Whole seconds until a code may be sent again; 0 when it may. */
export function secondsLeft(storedUntil: string | null, nowMs: number): number {
  const until = Number(storedUntil);
  if (storedUntil === null || !Number.isFinite(until)) return 0;
  // A clock that was set back must not lock the button for longer than one cooldown.
  return Math.ceil(Math.min(cooldownMs, Math.max(0, until - nowMs)) / 1000);
}

/** Starts the cooldown, with the api's own duration if it gave one. */
export function startCooldown(purpose: CodePurpose, seconds = cooldownMs / 1000): void {
  localStorage.setItem(keys[purpose], String(Date.now() + seconds * 1000));
}

function read(purpose: CodePurpose): number {
  return secondsLeft(localStorage.getItem(keys[purpose]), Date.now());
}

/** The countdown in seconds. It is stored, so that a reload does not reset it. */
export function useCooldown(purpose: CodePurpose): number {
  const [left, setLeft] = useState(() => read(purpose));
  useEffect(() => {
    const timer = setInterval(() => setLeft(read(purpose)), 250);
    return () => clearInterval(timer);
  }, [purpose]);
  return left;
}
