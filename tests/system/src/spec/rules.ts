/** A text as it must be shown, in both languages of the product. */
export interface Texts {
  readonly en: string;
  readonly ru: string;
}

/** One validation rule: a refused value of a field, and the text beside the field. */
export interface FieldRule extends Texts {
  readonly field: string;
  /** Sent instead of a right value; `missing` leaves the field out. */
  readonly value: unknown;
  /**
   * The typed value that meets the rule, or false where a box stays unticked; null where the page
   * prevents it.
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
