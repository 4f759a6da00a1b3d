import underPressure from "@fastify/under-pressure";
import type { FastifyInstance } from "fastify";
import { DomainError } from "./domain-error.ts";

/** An event loop this late answers nobody in time; refusing some keeps the rest served. */
const eventLoopDelayMsMax = 2_000;

export async function shedLoad(app: FastifyInstance): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: eventLoopDelayMsMax,
    pressureHandler: () => {
      throw new DomainError("unavailable", { retryAfterSeconds: 10 });
    },
  });
}
