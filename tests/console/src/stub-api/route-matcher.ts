import { mountedPath, type RouteDefinition } from "@palisade/contract/http/route";
import { allRoutes } from "@palisade/contract/http/routes";

export interface MatchedRoute {
  readonly route: RouteDefinition;
  readonly params: Readonly<Record<string, string>>;
}

const patterns = allRoutes
  .map((route) => ({ route, path: mountedPath(route) }))
  // Fixed segments win over parameters: /servers/locations is not a shield's id.
  .toSorted((a, b) => a.path.split(":").length - b.path.split(":").length)
  .map(({ route, path }) => ({
    route,
    pattern: new RegExp(`^${path.replace(/\./g, "\\.").replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`),
  }));

/** The contract's route for a method and path, or undefined where the contract has none. */
export function matchRoute(method: string, pathname: string): MatchedRoute | undefined {
  for (const { route, pattern } of patterns) {
    const groups = route.method === method ? pattern.exec(pathname) : null;
    if (groups === null) continue;
    const params = Object.entries(groups.groups ?? {});
    return {
      route,
      params: Object.fromEntries(params.map(([name, value]) => [name, decodeURIComponent(value)])),
    };
  }
  return undefined;
}
