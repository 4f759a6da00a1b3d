import type { Server, Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { addressMatcher, parseAddress } from "./client-address.ts";
import { addressBucket } from "./pipeline/limits.ts";

/** A browser opens six, a network of edges one stream each and a few calls. */
const connectionsPerSourceMax = 256;
/** A connection of HTTP/2 carries many at once, so connections alone bound nothing. */
const requestsPerSourceMax = 512;
const thisMachine = ["127.0.0.0/8", "::1"];

/**
 * Closes connections of a source (an IPv4 address, an IPv6 /64) that has too many open ones, so that
 * one machine cannot use up the descriptors. This machine and trusted proxies bring many callers.
 */
export function capConnections(
  server: Pick<Server, "on">,
  trustedProxies: readonly string[],
  max: number = connectionsPerSourceMax,
): void {
  const isExempt = addressMatcher([...thisMachine, ...trustedProxies]);
  const open = createSourceCounter();
  server.on("connection", (socket: Socket) => {
    const address = parseAddress(socket.remoteAddress ?? "");
    if (address === undefined || isExempt(address)) return;
    const source = addressBucket(address.toString());
    if (open.count(source) >= max) {
      socket.destroy();
      return;
    }
    open.add(source);
    socket.once("close", () => open.remove(source));
  });
}

/**
 * Refuses requests of a source that has too many under way, so that one machine cannot fill the memory
 * with half-sent bodies. Behind a proxy the source is the caller that the proxy names; a proxy that names
 * none brings many callers.
 */
export function capRequests(
  app: FastifyInstance,
  trustedProxies: readonly string[],
  max: number = requestsPerSourceMax,
): void {
  const isExempt = addressMatcher([...thisMachine, ...trustedProxies]);
  const underWay = createSourceCounter();
  app.addHook("onRequest", async (request, reply) => {
    const address = parseAddress(request.ip);
    if (address === undefined || isExempt(address)) return;
    const source = addressBucket(request.ip);
    if (underWay.count(source) >= max) {
      throw new DomainError("rate_limited", { values: { seconds: 1 }, retryAfterSeconds: 1 });
    }
    // The caller has gone already, and there will be no other event.
    if (reply.raw.destroyed) return;
    underWay.add(source);
    reply.raw.once("close", () => underWay.remove(source));
  });
}

function createSourceCounter() {
  const counts = new Map<string, number>();
  return {
    count: (source: string) => counts.get(source) ?? 0,
    add(source: string): void {
      counts.set(source, (counts.get(source) ?? 0) + 1);
    },
    remove(source: string): void {
      const left = (counts.get(source) ?? 1) - 1;
      if (left === 0) counts.delete(source);
      else counts.set(source, left);
    },
  };
}
