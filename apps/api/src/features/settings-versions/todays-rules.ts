import type { z } from "zod";
import { DomainError } from "#src/platform/errors/domain-error.ts";

/** @throws DomainError where the rules of today refuse a value of an earlier time */
export function byTodaysRules<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw new DomainError("validation_failed", { text: "restore.rules" });
}
