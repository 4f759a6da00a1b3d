import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics, Histogram, type Registry } from "prom-client";
import { afterAnswer } from "#src/platform/http/after-answer.ts";

/** As nginx counts callers who left: their 503 is no fault of the api. */
const leftStatus = "499";

/** Measures every answer. The metrics themselves are served by metrics-server.ts, never to the public. */
export async function measureRequests(app: FastifyInstance, registry: Registry): Promise<void> {
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: "palisade_http_request_duration_seconds",
    help: "Time to answer by route, method and status",
    labelNames: ["route", "method", "status"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  app.addHook("onRequest", async (request) => {
    afterAnswer(request, ({ statusCode, elapsedTime }, hasLeft) => {
      // The route's pattern, never the path: a label per id would grow without bound.
      const route = request.routeOptions.url ?? "unmatched";
      const status = hasLeft && statusCode === 503 ? leftStatus : String(statusCode);
      durations.labels(route, request.method, status).observe(elapsedTime / 1000);
    });
  });
}
