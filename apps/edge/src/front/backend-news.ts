import type { HealthRegistry } from "#src/health/health-registry.ts";

/** What a front meets when it deals with backends, for whoever keeps their health. */
export type BackendNews = Pick<
  HealthRegistry,
  "failed" | "succeeded" | "hungUp" | "playersChanged"
>;
