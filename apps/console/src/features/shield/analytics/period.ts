import type { AnalyticsRange } from "@palisade/contract/http/analytics";
import type { ShieldSearch } from "../shield-search.ts";

type FixedRange = Exclude<AnalyticsRange, "custom">;

export const defaultRange: FixedRange = "24h";

export type Period =
  | { readonly range: FixedRange }
  | { readonly range: "custom"; readonly from: string; readonly to: string };

/** The period in the address; the default where it is incomplete or ends before it begins. */
export function periodOf({ range = defaultRange, from, to }: ShieldSearch): Period {
  if (range !== "custom") return { range };
  const fromMs = Date.parse(from ?? "");
  const toMs = Date.parse(to ?? "");
  if (!(fromMs < toMs)) return { range: defaultRange };
  return {
    range,
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
  };
}

/** Words between commas, as the address has them. */
export function listOf(words: string | undefined): ReadonlySet<string> {
  return new Set(words?.split(",").filter((word) => word !== ""));
}

/** The list with the word added or taken out; undefined where none is left. */
export function toggled(words: string | undefined, word: string): string | undefined {
  const list = new Set(listOf(words));
  if (!list.delete(word)) list.add(word);
  return list.size === 0 ? undefined : [...list].toSorted().join(",");
}

/** A time as a field of date and time has it, in the reader's own zone. */
export function fieldTime(timeMs: number): string {
  const time = new Date(timeMs);
  const local = new Date(timeMs - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
