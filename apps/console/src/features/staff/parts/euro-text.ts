/** Cents as a field shows them: `9.00`. */
export function euroText(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** The cents of a typed amount; not a number where it is none, so that the schema refuses it. */
export function centsOf(typed: string): number {
  const text = typed.trim().replace(",", ".");
  return /^\d{1,6}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : Number.NaN;
}

/** The whole number of a field; null where it is empty. */
export function wholeOrNull(typed: string): number | null {
  return typed.trim() === "" ? null : Number(typed.trim());
}
