import type { Feature } from "#src/platform/platform.ts";
import { mountTrafficRoutes, type TrafficRoutesDeps } from "./traffic.routes.ts";

export function createTrafficFeature(deps: TrafficRoutesDeps): Feature {
  return { mountRoutes: (mount) => mountTrafficRoutes(mount, deps) };
}
