import type { Feature, Platform } from "#src/platform/platform.ts";
import { mountTicketsRoutes, type TicketsRoutesDeps } from "./tickets.routes.ts";

/** Tickets of customers. */
export function createTicketsFeature(
  { db, bus }: Platform,
  deps: Omit<TicketsRoutesDeps, "db" | "bus">,
): Feature {
  return { mountRoutes: (mount) => mountTicketsRoutes(mount, { ...deps, db, bus }) };
}
