import { topUpEuros } from "@palisade/contract/http/billing";

/** No amount that can be paid has more digits. */
const digitsMax = 6;

/**
 * Keeps digits only. A typed character that is not a digit is dropped. The first run of
 * digits of a pasted text is kept: `10.50` must never become 1050.
 */
export function nextAmount(current: string, typed: string): string {
  const digits = typed.replace(/\D/g, "");
  const kept = digits === typed || digits === current ? digits : (/\d+/.exec(typed)?.[0] ?? "");
  return kept.replace(/^0+(?=\d)/, "").slice(0, digitsMax);
}

/** The limit that the typed amount breaks, or null. `maximum`: what may still be topped up today. */
export function amountProblem(typed: string, maximum: number): "minimum" | "maximum" | null {
  const euros = Number(typed);
  if (typed === "" || euros < topUpEuros.min) return "minimum";
  return euros > maximum ? "maximum" : null;
}
