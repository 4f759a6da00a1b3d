import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import ipaddr from "ipaddr.js";

type Address = ReturnType<typeof ipaddr.process>;

/** Stands for the address of a connection that has already ended. */
const noAddress = "0.0.0.0";
const withPort = /^(?:\[([0-9a-fA-F:.]+)\](?::\d{1,5})?|(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5})$/;

/**
 * Gives each request the caller's address as `request.ip`: that of the connection, or the one that
 * trusted proxies name in `X-Forwarded-For`. Fastify's own `trustProxy` would pass on whatever text a
 * caller or a misconfigured proxy writes there.
 */
export function registerClientAddress(
  app: FastifyInstance,
  trustedProxies: readonly string[],
): void {
  const addressOf = clientAddress(trustedProxies);
  app.addHook("onRequest", async (request) => {
    // Always, since the one that Fastify reads from the connection is lost with it: a caller who
    // leaves at once must not stay out of the records.
    Object.defineProperty(request, "ip", { value: addressOf(request.raw) });
  });
}

/** @param trustedProxies addresses and CIDR ranges */
export function clientAddress(
  trustedProxies: readonly string[],
): (request: Pick<IncomingMessage, "headers" | "socket">) => string {
  const isTrusted = addressMatcher(trustedProxies);
  return ({ headers, socket }) => {
    let caller = parseAddress(socket.remoteAddress ?? "");
    if (caller === undefined) return noAddress;
    const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
    // Each proxy appends the address that it saw. An invalid value ends the walk, because no trusted proxy
    // vouches for what is left of it.
    while (isTrusted(caller)) {
      const before = parseAddress(forwarded.pop() ?? "");
      if (before === undefined) break;
      caller = before;
    }
    return caller.toString();
  };
}

/** Whether an address is one of those, or in one of those ranges. */
export function addressMatcher(
  addressesAndRanges: readonly string[],
): (address: Address) => boolean {
  const ranges = addressesAndRanges.map((text) => {
    if (text.includes("/")) return ipaddr.parseCIDR(text);
    const address = ipaddr.process(text);
    return [address, address.kind() === "ipv4" ? 32 : 128] as const;
  });
  return (address) =>
    ranges.some(([network, bits]) => {
      // `match` throws for addresses of different families.
      return network.kind() === address.kind() && address.match(network, bits);
    });
}

/** An address, also with a port behind it; undefined for anything else. */
export function parseAddress(text: string): Address | undefined {
  const trimmed = text.trim();
  const [, bracketed, numbered] = withPort.exec(trimmed) ?? [];
  const [bare = ""] = (bracketed ?? numbered ?? trimmed).split("%");
  // Other forms of IPv4, such as `127.1`, are valid for the library.
  if (!ipaddr.IPv6.isValid(bare) && !ipaddr.IPv4.isValidFourPartDecimal(bare)) return undefined;
  return ipaddr.process(bare);
}
