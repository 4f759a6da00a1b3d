/** Both ends included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** The ports that a backend may have. Plain data, so that it can go to another thread. */
export interface BackendPorts {
  readonly allowed: readonly PortRange[];
  /** Those among them that belong to other well-known services. */
  readonly refused: readonly PortRange[];
}

export function isBackendPort({ allowed, refused }: BackendPorts, port: number): boolean {
  return isWithin(allowed, port) && !isWithin(refused, port);
}

function isWithin(ranges: readonly PortRange[], port: number): boolean {
  return ranges.some(({ first, last }) => port >= first && port <= last);
}
