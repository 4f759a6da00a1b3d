import type { Feature, Platform } from "#src/platform/platform.ts";
import { storeSeller } from "./seller.ts";
import { vatIdsJob } from "./vat-ids.job.ts";
import { createViesClient } from "./vies-client.ts";

/** The seller, and the enquiries about VAT ids. */
export function createVatFeature({
  config,
  db,
  clock,
}: Pick<Platform, "config" | "db" | "clock">): Feature {
  const { seller, viesUrl } = config;
  return {
    mountRoutes() {},
    jobs: [vatIdsJob({ db, clock, seller, ask: createViesClient(viesUrl) })],
    start: () => storeSeller(db, clock, seller),
  };
}
