import type { FastifyInstance } from "fastify";
import { redactUrl } from "./redact-url.ts";

/** One line per answer; probes would drown the rest. */
export async function logRequests(app: FastifyInstance): Promise<void> {
  const probes = new Set(["/healthz", "/readyz", "/metrics"]);
  app.addHook("onResponse", async (request, reply) => {
    if (probes.has(request.url)) return;
    request.log.info(
      {
        method: request.method,
        url: redactUrl(request.url, []),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ip: request.ip,
      },
      "Answered",
    );
  });
}
