import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { addressMatcher, parseAddress } from "./client-address.ts";
import { addressBucket } from "./pipeline/limits.ts";

/** A browser opens six, a network of edges one stream each and a few calls. */
const connectionsPerSourceMax = 256;

/**
 * Closes connections of a source (an IPv4 address, an IPv6 /64) that has too many open ones, so that
 * one machine cannot use up the descriptors. This machine and trusted proxies bring many callers.
 */
export function capConnections(
  app: FastifyInstance,
  trustedProxies: readonly string[],
  max: number = connectionsPerSourceMax,
): void {
  const isExempt = addressMatcher(["127.0.0.0/8", "::1", ...trustedProxies]);
  const open = new Map<string, number>();
  app.server.on("connection", (socket: Socket) => {
    const address = parseAddress(socket.remoteAddress ?? "");
    if (address === undefined || isExempt(address)) return;
    const source = addressBucket(address.toString());
    const count = (open.get(source) ?? 0) + 1;
    if (count > max) {
      socket.destroy();
      return;
    }
    open.set(source, count);
    socket.once("close", () => {
      const left = (open.get(source) ?? 1) - 1;
      if (left === 0) open.delete(source);
      else open.set(source, left);
    });
  });
}
