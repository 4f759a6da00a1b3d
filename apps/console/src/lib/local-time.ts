/** A time as a field of date and time holds it, in the reader's zone: `2026-11-01T13:00`. */
export function localTime(at: Date): string {
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** The moment that such a field names; empty where it names none, so that the schema refuses it. */
export function momentOf(typed: string): string {
  const at = new Date(typed);
  return Number.isNaN(at.getTime()) ? "" : at.toISOString();
}
