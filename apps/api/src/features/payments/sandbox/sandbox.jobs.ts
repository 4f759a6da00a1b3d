import { z } from "zod";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { JobDefinition, Jobs } from "#src/platform/jobs/jobs.ts";
import type { sandboxEvent } from "./sandbox-provider.ts";
import { deleteCheckouts } from "./sandbox.repository.ts";
import { signWebhook } from "./signed-webhooks.ts";

const jobName = "sandbox.deliver";
const jobData = z.object({ id: z.uuid(), body: z.string() });
const deliveryTimeoutMs = 10_000;

/** The event is delivered if, and only if, the change that it reports is committed. */
export function sendSandboxEvent(
  trx: Trx,
  jobs: Jobs,
  event: z.infer<typeof sandboxEvent>,
): Promise<void> {
  return jobs.send(trx, jobName, { id: newId(), body: JSON.stringify(event) });
}

export interface SandboxDeliveryDeps {
  readonly clock: Clock;
  readonly webhookKey: Buffer;
  /** The api's own address; undefined while it does not listen. */
  readonly origin: () => string | undefined;
}

/** Every try is signed anew, so that a late delivery is not stale. */
export function sandboxDeliveryJob(deps: SandboxDeliveryDeps): JobDefinition<object> {
  return {
    name: jobName,
    retryLimit: 16,
    retryDelaySeconds: 2,
    async run(data) {
      const { id, body } = jobData.parse(data);
      const origin = deps.origin();
      if (origin === undefined) throw new Error("The api does not listen yet");
      const bytes = Buffer.from(body);
      const response = await fetch(`${origin}/api/v1/webhooks/sandbox`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...signWebhook(deps.webhookKey, id, bytes, deps.clock.now()),
        },
        body: bytes,
        redirect: "error",
        signal: AbortSignal.timeout(deliveryTimeoutMs),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`The event was answered with ${response.status}`);
    },
  };
}

/** Long after anybody last asks about a checkout (`lookedAfterMs`). */
const recordKeptMs = 90 * 86_400_000;

/** Removes the sandbox's own old records, daily. */
export function sandboxRetentionJob(db: Db, clock: Clock): JobDefinition<object> {
  return {
    name: "sandbox.clean",
    retryLimit: 2,
    retryDelaySeconds: 60,
    cron: "27 3 * * *",
    async run() {
      await deleteCheckouts(db, new Date(clock.now().getTime() - recordKeptMs));
    },
  };
}
