import type { HealthRegistry } from "#src/health/health-registry.ts";

/** Outcomes of a worker's connections to backends, for the registry of their health. */
export type BackendEvents = Pick<
  HealthRegistry,
  "failed" | "succeeded" | "hungUp" | "playersChanged" | "proven"
>;
