import { z } from "zod";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { JobDefinition, Jobs } from "#src/platform/jobs/jobs.ts";
import type { Logger } from "pino";
import { insertEvent, markEventProcessed, selectUnprocessedEvent } from "./events.repository.ts";
import type { ProviderName } from "#src/schema/payments.ts";
import { selectIntent, selectIntentByReference } from "./intents.repository.ts";
import type { PaymentProvider, PaymentProviders, ProviderEvent } from "./payment-provider.ts";
import { firstEventRetryMs } from "./poll.policy.ts";
import { quarantineStray } from "./quarantine.service.ts";
import type { ReversalsDeps, SettleReversals } from "./reversals.service.ts";
import type { Settle } from "./settlement.service.ts";

const jobName = "payments.event";
const jobData = z.object({ id: z.uuid() });

/**
 * Stores an event once, together with the job that processes it. After the commit the event is
 * processed even if this process dies.
 *
 * @returns the account the event is about, or null
 */
export async function storeEvent(
  trx: Trx,
  jobs: Jobs,
  provider: PaymentProvider,
  event: ProviderEvent,
  delivery: { readonly body: Buffer; readonly now: Date },
): Promise<string | null> {
  const id = newId();
  const isNew = await insertEvent(trx, {
    id,
    provider: provider.name,
    event_id: event.eventId,
    type: event.type,
    reference: event.reference,
    body: delivery.body.toString("utf8"),
    received_at: delivery.now,
    worked_at: null,
    next_try_at: new Date(delivery.now.getTime() + firstEventRetryMs),
  });
  if (isNew) await jobs.send(trx, jobName, { id });
  if (event.reference === null) return null;
  const intent = await selectIntentByReference(trx, provider.name, event.reference);
  return intent?.user_id ?? null;
}

/** Follows a reference that another feature keeps, for example the customer of a saved card. */
export type FollowReference = (provider: ProviderName, reference: string) => Promise<boolean>;

/** Events after which the provider's record of refunds and disputes is read as well. */
const reversalEvent = /refund|dispute|revers/i;

/** Processes one stored event: it names the record to read, and nothing else in it is believed. */
export type ProcessEvent = (id: string) => Promise<void>;

export function createEventProcessor(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly providers: PaymentProviders;
  readonly settle: Settle;
  readonly settleReversals: SettleReversals;
  readonly followReference: FollowReference;
}): ProcessEvent {
  const { db, clock, log, settle, settleReversals, followReference } = deps;
  return async (id) => {
    const event = await selectUnprocessedEvent(db, id);
    if (event === undefined) return;
    const { provider, reference } = event;
    const intentId = reference === null ? null : await intentOf(deps, provider, reference);
    if (intentId !== null) {
      await settle(intentId);
      if (reversalEvent.test(event.type)) await settleReversals(intentId);
    } else if (reference === null || !(await followReference(provider, reference))) {
      const found = { event: id, provider, type: event.type };
      if (reference !== null && (await keepStray(deps, provider, reference))) {
        log.error(found, "A payment arrived that was not ordered here: staff must look at it");
      } else log.info(found, "An event belongs to no intent of this installation");
    }
    await markEventProcessed(db, id, clock.now());
  };
}

/** @returns whether a payment that is nothing of ours was found for the first time */
async function keepStray(
  { db, clock, providers }: Pick<ReversalsDeps, "db" | "clock" | "providers">,
  provider: ProviderName,
  reference: string,
): Promise<boolean> {
  const stray = await providers.named(provider)?.readStray?.(reference);
  if (stray === undefined || stray === null) return false;
  return quarantineStray(db, provider, stray, clock.now());
}

/** By the checkout's reference, or by what the provider recorded about the payment. */
async function intentOf(
  { db, providers }: { readonly db: Db; readonly providers: PaymentProviders },
  provider: ProviderName,
  reference: string,
): Promise<string | null> {
  const found = await selectIntentByReference(db, provider, reference);
  if (found !== undefined) return found.id;
  const id = z.uuid().safeParse(await providers.named(provider)?.intentOf?.(reference));
  if (!id.success) return null;
  const intent = await selectIntent(db, id.data);
  return intent?.provider === provider ? intent.id : null;
}

/** The job tries for about half an hour; after that the poller tries. */
export function eventJob(processEvent: ProcessEvent): JobDefinition<object> {
  return {
    name: jobName,
    retryLimit: 10,
    retryDelaySeconds: 2,
    run: (data) => processEvent(jobData.parse(data).id),
  };
}
