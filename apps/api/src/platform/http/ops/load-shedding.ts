import underPressure from "@fastify/under-pressure";
import type { FastifyInstance } from "fastify";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { isForVisitors } from "#src/platform/http/public-site/console-files.ts";

/** With a longer delay no answer is in time, so some calls are refused to serve the others. */
export const eventLoopDelayMsMax = 2_000;

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
      // Without its files, the console could not say what is wrong, and a page would stay empty.
      if (isForVisitors(request)) return;
      throw new DomainError("unavailable", { retryAfterSeconds: 10 });
    },
  });
}
