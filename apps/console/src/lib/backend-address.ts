export interface BackendAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * `203.0.113.5:25570` or `play.example.com:25570` as people paste it, or null where there is no
 * port to take off. IPv6 only in brackets: its own colons say nothing about a port.
 */
export function parseBackendAddress(typed: string): BackendAddress | null {
  const match = /^\s*(?:\[([^\]]+)\]|([^\s:]+)):(\d{1,5})\s*$/.exec(typed);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  return host !== undefined && port >= 1 && port <= 65_535 ? { host, port } : null;
}

/** As people write it, an IPv6 address in brackets. */
export function formatBackendAddress({
  ip,
  port,
}: {
  readonly ip: string;
  readonly port: number;
}): string {
  return ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;
}
