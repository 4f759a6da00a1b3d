/** Cents of an amount as typed, with a point or a comma: `20`, `20.5`, `20,50`; null for anything else. */
export function readEuros(typed: string): number | null {
  const match = /^(\d{1,6})(?:[.,](\d{1,2}))?$/.exec(typed.trim());
  if (match === null) return null;
  const [, whole, part = ""] = match;
  return Number(whole) * 100 + Number(part.padEnd(2, "0"));
}
