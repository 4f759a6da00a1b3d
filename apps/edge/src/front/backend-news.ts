import type { HealthBook } from "#src/health/health-book.ts";

/** What a front meets when it deals with backends, for whoever keeps their health. */
export type BackendNews = Pick<HealthBook, "failed" | "succeeded" | "hungUp" | "playersChanged">;
