import { z } from "zod";

/** Query of every paged list. Page 0, -1 or 1e309 is refused with 422. */
export const pageQuery = z.object({
  page: z.coerce
    .number("page.invalid")
    .int("page.invalid")
    .min(1, "page.invalid")
    .max(1_000_000, "page.invalid")
    .default(1),
  per_page: z.coerce
    .number("per_page.invalid")
    .int("per_page.invalid")
    .min(1, "per_page.invalid")
    .max(100, "per_page.invalid")
    .default(20),
});

const pageFigures = {
  current_page: z.int(),
  per_page: z.int(),
  last_page: z.int(),
  total: z.int(),
};

/** A page of `item`, with its figures at the top level and again under `meta`. */
export function paged<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), ...pageFigures, meta: z.object(pageFigures) });
}

/** Builds the answer of a paged list from its rows and total. */
export function toPage<T>(data: T[], page: number, perPage: number, total: number) {
  const figures = {
    current_page: page,
    per_page: perPage,
    last_page: Math.max(1, Math.ceil(total / perPage)),
    total,
  };
  return { data, ...figures, meta: figures };
}
