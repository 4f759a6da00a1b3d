import type { ShieldConfig } from "./shield-config.ts";

/** The ports of the shield that an edge of this location opens. */
export function bedrockPortsAt(
  { ports, only_in }: ShieldConfig["bedrock"],
  location: string,
): number[] {
  return ports.filter((port) => {
    const limit = only_in.find((entry) => entry.port === port);
    return limit === undefined || limit.locations.includes(location);
  });
}
