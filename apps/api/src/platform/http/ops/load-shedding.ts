import underPressure from "@fastify/under-pressure";
import type { FastifyInstance } from "fastify";
import { DomainError } from "#src/platform/errors/domain-error.ts";

/** With a longer delay no answer is in time, so some calls are refused to serve the others. */
export const eventLoopDelayMsMax = 2_000;

const statusPage = /^\/status(\.json|\/feed\.xml)?(\?|$)/;

/** @param delayMsMax `eventLoopDelayMsMax`, but for tests: how busy a machine is decides none */
export async function registerLoadShedding(
  app: FastifyInstance,
  delayMsMax: number,
): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: delayMsMax,
    pressureHandler: (request) => {
      // A supervisor that restarts a process because it looks dead would make a flood worse.
      if (request.url === "/healthz") return;
      // It says what is wrong, and is served from memory.
      if (statusPage.test(request.url)) return;
      throw new DomainError("unavailable", { retryAfterSeconds: 10 });
    },
  });
}
