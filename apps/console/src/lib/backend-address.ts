export interface BackendAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Splits `203.0.113.5:25570` or `play.example.com:25570`, as people paste it. Null without a port.
 * IPv6 must be in brackets: its own colons do not mark a port.
 */
export function parseBackendAddress(typed: string): BackendAddress | null {
  const match = /^\s*(?:\[([^\]]+)\]|([^\s:]+)):(\d{1,5})\s*$/.exec(typed);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  return host !== undefined && port >= 1 && port <= 65_535 ? { host, port } : null;
}

/** As people write it; an IPv6 address is in brackets. */
export function formatBackendAddress({
  ip,
  port,
}: {
  readonly ip: string;
  readonly port: number;
}): string {
  return ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;
}
