import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { Agent, fetch } from "undici";

/** Requests to addresses that customers choose. */
export interface Outbound {
  /**
   * @returns the status of the answer, whose body is not read; redirects are not followed
   * @throws where the address is not public, or nothing answered in time
   */
  postJson(url: string, body: object): Promise<number>;
  close(): Promise<void>;
}

export interface OutboundOptions {
  readonly timeoutMs: number;
  /** For tests, whose server is on this machine. */
  readonly allowLoopback?: boolean;
}

/**
 * Reaches public addresses only: what a name resolves to is checked where the
 * connection takes it from, so that it cannot change in between; literals never see that lookup
 * and are checked on their own.
 */
export function createOutbound({ timeoutMs, allowLoopback = false }: OutboundOptions): Outbound {
  const isAllowed = (address: string): boolean => isReachable(address, allowLoopback);
  const agent = new Agent({
    connect: { lookup: publicLookup(isAllowed), timeout: timeoutMs },
    connections: 8,
    bodyTimeout: timeoutMs,
    headersTimeout: timeoutMs,
  });
  return {
    async postJson(url, body) {
      const target = new URL(url);
      const host = target.hostname.replace(/^\[|\]$/g, "");
      const isLiteral = ipaddr.isValid(host);
      if (!/^https?:$/.test(target.protocol) || target.username !== "" || target.password !== "") {
        throw new Error("Only plain http and https addresses are called");
      }
      if (isLiteral && !isAllowed(host)) throw new Error("The address is not public");
      const response = await fetch(target, {
        method: "POST",
        headers: { "content-type": "application/json", "user-agent": "Palisade" },
        body: JSON.stringify(body),
        redirect: "manual",
        dispatcher: agent,
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.body?.cancel();
      return response.status;
    },
    close: () => agent.destroy(),
  };
}

function isReachable(address: string, allowLoopback: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const range = ipaddr.process(address).range();
  return range === "unicast" || (allowLoopback && range === "loopback");
}

function publicLookup(isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      // One private address among public ones is a trick, not an accident.
      if (found.length === 0 || !found.every(({ address }) => isAllowed(address))) {
        return callback(new Error("The name leads to an address that is not public"), []);
      }
      const [first] = found;
      if (options.all === true || first === undefined) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}
