/** A text as it must be shown, in both languages of the product. */
export interface Texts {
  readonly en: string;
  readonly ru: string;
}

/** One validation rule of a specification: a value of a field, and what is said of it. */
export interface FieldRule extends Texts {
  readonly field: string;
  /** Sent instead of a right value; `missing` leaves the field out. */
  readonly value: unknown;
  /**
   * What a person types to meet the rule, or false where they tick nothing; null where the page
   * lets nobody get that far.
   */
  readonly typed: string | false | null;
}

export const missing = Symbol("missing");

export const letters = (length: number): string => "a".repeat(length);

/** A right body with one field replaced or left out. */
export function bodyWith(
  right: Readonly<Record<string, unknown>>,
  { field, value }: Pick<FieldRule, "field" | "value">,
): Record<string, unknown> {
  const { [field]: _replaced, ...others } = right;
  return value === missing ? others : { ...others, [field]: value };
}
