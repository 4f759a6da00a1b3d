import type { PortOpening } from "#src/listeners/port-opening.ts";
import type { PortClaims } from "./port-claims.ts";

const mainThread = 0;

/** Ports of an edge whose main thread takes players, which the next front may open beside it. */
export function createLocalOpening(claims: PortClaims): PortOpening {
  return {
    reusePort: true,
    claim: (host, port) => claims.claim(mainThread, host, port),
    release: (port) => claims.release(mainThread, port),
  };
}
