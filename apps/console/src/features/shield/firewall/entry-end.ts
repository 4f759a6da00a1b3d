import type { FirewallEntry } from "@palisade/contract/http/firewall";
import { momentOf } from "#src/lib/local-time.ts";

/** How long an entry is to hold, as the form offers it. `keep` leaves an end as it is. */
export const endChoices = ["keep", "always", "1h", "1d", "7d", "30d", "date"] as const;
export type EndChoice = (typeof endChoices)[number];

const hourMs = 3_600_000;

const lastsMs: Partial<Record<EndChoice, number>> = {
  "1h": hourMs,
  "1d": 24 * hourMs,
  "7d": 7 * 24 * hourMs,
  "30d": 30 * 24 * hourMs,
};

/**
 * The end that was chosen; null for none, undefined to leave it.
 *
 * @param date as a field of date and time holds it
 */
export function chosenEnd(choice: EndChoice, date: string, now: Date): string | null | undefined {
  if (choice === "keep") return undefined;
  if (choice === "date") return momentOf(date);
  const ms = lastsMs[choice];
  return ms === undefined ? null : new Date(now.getTime() + ms).toISOString();
}

/** Its end has passed: it does nothing, and is shown until it is removed. */
export function hasEnded({ expires_at: end }: Pick<FirewallEntry, "expires_at">, now: Date) {
  return end !== null && Date.parse(end) <= now.getTime();
}

/** Looks for the words in entries and in their notes. */
export function matches({ ip, note }: Pick<FirewallEntry, "ip" | "note">, search: string) {
  const wanted = search.trim().toLowerCase();
  return ip.toLowerCase().includes(wanted) || note.toLowerCase().includes(wanted);
}
