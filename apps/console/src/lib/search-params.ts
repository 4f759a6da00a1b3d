import { tidyLine } from "@palisade/contract/http/tidy-line";

/**
 * Reads search parameters of an address. Small and without zod, because every route's parameters are
 * read before the first page loads.
 */

/** The value if it is valid, or else undefined. */
type Parameter<T> = (value: unknown) => T | undefined;

type Search<P extends Record<string, Parameter<unknown>>> = { [N in keyof P]?: ReturnType<P[N]> };

/**
 * Reads the named parameters; invalid ones count as missing, unknown ones are dropped.
 *
 * @example
 * validateSearch: searchOf({ page: wholeNumber(1), tab: text() })
 */
export function searchOf<P extends Record<string, Parameter<unknown>>>(parameters: P) {
  return (given: Record<string, unknown>): Search<P> => {
    const found = Object.entries(parameters)
      .filter(([name]) => name in given)
      .map(([name, read]) => [name, read(given[name])]);
    return Object.fromEntries(found) as Search<P>;
  };
}

export function text(lengthMax = Infinity): Parameter<string> {
  return (value) => {
    const line = typeof value === "string" ? tidyLine(value) : "";
    return line !== "" && line.length <= lengthMax ? line : undefined;
  };
}

export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): Parameter<number> {
  return (value) =>
    Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max
      ? Number(value)
      : undefined;
}

/** One of the record's keys. */
export function oneOf<T extends string>(known: Readonly<Record<T, unknown>>): Parameter<T> {
  return (value) =>
    typeof value === "string" && Object.hasOwn(known, value) ? (value as T) : undefined;
}

export function uuid(): Parameter<string> {
  return (value) =>
    typeof value === "string" && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)
      ? value
      : undefined;
}
