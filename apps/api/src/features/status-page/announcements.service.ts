import type { Logger } from "pino";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Trx } from "#src/platform/database/db.ts";
import { OutboundError, type Outbound } from "#src/platform/http/outbound.ts";
import { signedHeaders } from "#src/platform/security/webhook-signature.ts";
import {
  selectUpdate,
  selectIncident,
  takeAnnouncement,
  type IncidentRow,
  type UpdateRow,
} from "./incidents.repository.ts";
import { readIncident } from "./incidents.service.ts";
import { statusPaths, subscriptionLink } from "./status-paths.ts";
import {
  changeSubscriber,
  deleteSubscriber,
  selectConfirmed,
  selectSubscriber,
  type SubscriberRow,
} from "./subscribers.repository.ts";
import { tokenOf, webhookJob, type SubscriptionDeps } from "./subscriptions.service.ts";

export interface AnnouncementDeps extends SubscriptionDeps {
  readonly clock: Clock;
  readonly outbound: Outbound;
  readonly log: Logger;
}

const pageRows = 500;

/** Hands the update over to mails and webhooks: to each subscriber once, however often it is tried. */
export async function announce(deps: AnnouncementDeps, updateId: string): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const taken = await takeAnnouncement(trx, updateId, deps.clock.now());
    if (taken === undefined) return;
    const update = await selectUpdate(trx, updateId);
    const incident = await selectIncident(trx, taken.incident_id);
    if (update === undefined || incident === undefined) return;
    let after: string | null = null;
    for (;;) {
      const page = await selectConfirmed(trx, { after, max: pageRows });
      for (const subscriber of page) await tell(deps, trx, subscriber, { incident, update });
      const last = page.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  });
}

async function tell(
  deps: AnnouncementDeps,
  trx: Trx,
  subscriber: SubscriberRow,
  { incident, update }: { readonly incident: IncidentRow; readonly update: UpdateRow },
): Promise<void> {
  if (subscriber.kind === "webhook") {
    const data = { subscriberId: subscriber.id, updateId: update.id };
    return deps.jobs.send(trx, webhookJob, data);
  }
  const to = open(deps, subscriber, subscriber.sealed_address);
  if (to === undefined) return;
  const { locale } = subscriber;
  await deps.mailer.enqueue(trx, {
    to,
    template: "status.update",
    locale,
    values: {
      title: locale === "ru" ? incident.title_ru : incident.title_en,
      text: locale === "ru" ? update.text_ru : update.text_en,
      state: update.state,
      starts_at: incident.starts_at.toISOString(),
      ends_at: incident.ends_at?.toISOString() ?? "",
      link: subscriptionLink(deps.consoleOrigin(), tokenOf(deps.keys, subscriber.id)),
    },
  });
}

/** Undefined where it was sealed under a secret that is no longer known. */
function open(
  { sealer, log }: AnnouncementDeps,
  { id }: SubscriberRow,
  sealed: string | null,
): string | undefined {
  try {
    return sealed === null ? undefined : sealer.open(sealed, id);
  } catch (error) {
    log.warn({ err: error, subscriberId: id }, "A subscriber's address cannot be read");
    return undefined;
  }
}

/** A webhook that has taken nothing for so long is unsubscribed. */
const failingMsMax = 3 * 86_400_000;

/**
 * One try to deliver a message; `updateId` is null for the message that asks to confirm.
 *
 * @throws where the receiver did not take it, to have it tried again
 */
export async function deliver(
  deps: AnnouncementDeps,
  { subscriberId, updateId }: { readonly subscriberId: string; readonly updateId: string | null },
): Promise<void> {
  const { db, clock } = deps;
  const subscriber = await selectSubscriber(db, subscriberId);
  if (subscriber === undefined || (updateId !== null && subscriber.confirmed_at === null)) return;
  const url = open(deps, subscriber, subscriber.sealed_address);
  const secret = open(deps, subscriber, subscriber.sealed_secret);
  if (url === undefined || secret === undefined) return;
  const message = await messageOf(deps, subscriber, updateId);
  if (message === undefined) return;
  const now = clock.now();
  const headers = signedHeaders({ ...message, now, secrets: [secret] });
  const status = await deps.outbound
    .send({ url, method: "POST", headers, body: message.body })
    .then((answer) => answer.status)
    .catch((error: unknown) => {
      if (error instanceof OutboundError) return error.failure;
      throw error;
    });
  if (typeof status === "number" && status >= 200 && status < 300) {
    if (subscriber.failing_since !== null)
      await changeSubscriber(db, subscriber.id, { failing_since: null });
    return;
  }
  const since = subscriber.failing_since ?? now;
  if (status === 410 || now.getTime() - since.getTime() > failingMsMax) {
    await deleteSubscriber(db, subscriber.id);
    return;
  }
  await changeSubscriber(db, subscriber.id, { failing_since: since });
  throw new Error(`The receiver did not take the message: ${status}`);
}

async function messageOf(
  deps: AnnouncementDeps,
  subscriber: SubscriberRow,
  updateId: string | null,
): Promise<{ readonly id: string; readonly body: string } | undefined> {
  const { db, keys, consoleOrigin } = deps;
  const origin = consoleOrigin();
  if (updateId === null) {
    const timestamp = subscriber.created_at.toISOString();
    const link = subscriptionLink(origin, tokenOf(keys, subscriber.id));
    return {
      id: `msg_${subscriber.id}`,
      body: JSON.stringify({
        type: "status.subscription",
        timestamp,
        data: { confirm_url: link, unsubscribe_url: link },
      }),
    };
  }
  const update = await selectUpdate(db, updateId);
  if (update === undefined) return undefined;
  return {
    id: `msg_${updateId}_${subscriber.id}`,
    body: JSON.stringify({
      type: "status.update",
      timestamp: update.created_at.toISOString(),
      data: {
        update: {
          at: update.created_at.toISOString(),
          state: update.state,
          text: { en: update.text_en, ru: update.text_ru },
        },
        incident: await readIncident(db, update.incident_id),
        url: `${origin}${statusPaths.page}`,
      },
    }),
  };
}
