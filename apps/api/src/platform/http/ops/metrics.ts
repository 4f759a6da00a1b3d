import type { FastifyInstance } from "fastify";
import ipaddr from "ipaddr.js";
import { collectDefaultMetrics, Histogram, type Registry } from "prom-client";
import { DomainError } from "#src/platform/errors/domain-error.ts";

/** Prometheus metrics, for this machine only: run the collector here or behind a tunnel. */
export async function mountMetrics(app: FastifyInstance, registry: Registry): Promise<void> {
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: "palisade_http_request_duration_seconds",
    help: "Time to answer by route, method and status",
    labelNames: ["route", "method", "status"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  app.addHook("onResponse", async (request, reply) => {
    // The route's pattern, never the path: a label per id would grow without bound.
    const route = request.routeOptions.url ?? "unmatched";
    durations
      .labels(route, request.method, String(reply.statusCode))
      .observe(reply.elapsedTime / 1000);
  });
  app.get("/metrics", { schema: { hide: true } }, async (request, reply) => {
    // Behind a proxy on this machine the socket is local though the caller is not, and as long as
    // the proxy is not among the trusted ones, so is `request.ip`.
    const isForwarded = ["x-forwarded-for", "forwarded"].some((name) => name in request.headers);
    const isLocal = [request.socket.remoteAddress ?? "", request.ip].every(isLoopback);
    if (!isLocal || isForwarded) throw new DomainError("not_found");
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}
