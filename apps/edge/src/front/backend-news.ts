import type { HealthRegistry } from "#src/health/health-registry.ts";

/** Outcomes of a front's connections to backends, for the registry of their health. */
export type BackendNews = Pick<
  HealthRegistry,
  "failed" | "succeeded" | "hungUp" | "playersChanged"
>;
