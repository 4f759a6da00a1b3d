import { useEffect, useState } from "react";

const key = "resend_available_at";
const cooldownMs = 120_000;

/** Whole seconds until a code may be sent again; 0 when it may. */
export function secondsLeft(storedUntil: string | null, nowMs: number): number {
  const until = Number(storedUntil);
  if (storedUntil === null || !Number.isFinite(until)) return 0;
  // A clock set back must not lock the button for longer than one cooldown.
  return Math.ceil(Math.min(cooldownMs, Math.max(0, until - nowMs)) / 1000);
}

/** Starts the cooldown, by the server's own figure where it gave one. */
export function startCooldown(seconds = cooldownMs / 1000): void {
  localStorage.setItem(key, String(Date.now() + seconds * 1000));
}

function read(): number {
  return secondsLeft(localStorage.getItem(key), Date.now());
}

/** The countdown; kept outside the page, so that a reload does not reset it. */
export function useCooldown(): number {
  const [left, setLeft] = useState(read);
  useEffect(() => {
    const timer = setInterval(() => setLeft(read()), 250);
    return () => clearInterval(timer);
  }, []);
  return left;
}
