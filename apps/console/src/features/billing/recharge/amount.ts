import { topUpEuros } from "@palisade/contract/http/billing";

/** No sum that can be paid needs more; longer ones are a slip of the keyboard. */
const digitsMax = 6;

/**
 * The amount field takes digits only. A character between digits is dropped; of something pasted,
 * the first run of digits stays: `10.50` must never become 1050.
 */
export function nextAmount(current: string, typed: string): string {
  const digits = typed.replace(/\D/g, "");
  const kept = digits === typed || digits === current ? digits : (/\d+/.exec(typed)?.[0] ?? "");
  return kept.replace(/^0+(?=\d)/, "").slice(0, digitsMax);
}

/** What is wrong with the typed amount, given how much may still be topped up today; null: nothing. */
export function amountProblem(typed: string, maximum: number): "minimum" | "maximum" | null {
  const euros = Number(typed);
  if (typed === "" || euros < topUpEuros.min) return "minimum";
  return euros > maximum ? "maximum" : null;
}
