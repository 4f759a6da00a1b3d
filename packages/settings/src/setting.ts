import type { z } from "zod";

type Program = "api" | "edge" | "dns" | "supervisor";

export interface Setting<S extends z.ZodType, F extends string | null> {
  readonly schema: S;
  /** The default as it would be written in the environment; null for none. */
  readonly fallback: F;
  readonly description: string;
  readonly programs: readonly Program[];
  readonly secret?: boolean;
  /** Must be set when PALISADE_ENV=production. */
  readonly requiredInProduction?: boolean;
  /** The problem with a valid value when PALISADE_ENV=production; undefined for none. */
  readonly refusedInProduction?: (value: string) => string | undefined;
}

export function setting<S extends z.ZodType, const F extends string | null>(
  definition: Setting<S, F>,
): Setting<S, F> {
  return definition;
}
