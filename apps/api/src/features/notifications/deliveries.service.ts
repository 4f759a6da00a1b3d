import { webhookAnswerMax } from "@palisade/contract/http/webhooks";
import type { Logger } from "pino";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import { OutboundError, type Outbound } from "#src/platform/http/outbound.ts";
import type { Mailer } from "#src/platform/mail/mailer.ts";
import type { Sealer } from "#src/platform/security/sealing.ts";
import { meaningOf, type AnswerMeaning } from "./answer.policy.ts";
import {
  forgetMessage,
  lockWebhook,
  noteFailing,
  noteWorking,
  saveResult,
  selectMessageRef,
  supersedeEarlier,
  switchOff,
  type ClaimedDelivery,
  type TryResult,
} from "./deliveries.repository.ts";
import { messageRefOf, webhookRequest } from "./formats/webhook-request.ts";
import { mailStaff } from "./staff-events.service.ts";
import { nextTryAt } from "./retry.policy.ts";

export interface DeliveryDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly outbound: Outbound;
  readonly sealer: Sealer;
  readonly mailer: Mailer;
  readonly log: Logger;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly count: (result: "delivered" | "retried" | "failed") => void;
}

/** A failing webhook has not worked since about the first try of the delivery that is given up. */
const firstTryMsMax = 3_600_000;

/** Sends one claimed delivery and stores what came of it. Only the database makes it throw. */
export async function deliver(
  deps: DeliveryDeps,
  claimed: ClaimedDelivery,
  signal?: AbortSignal,
): Promise<void> {
  const isEdited = claimed.format === "discord" || claimed.format === "telegram";
  if (isEdited && claimed.thread !== null) await supersedeEarlier(deps.db, claimed);
  const messageRef = isEdited ? await selectMessageRef(deps.db, claimed) : null;
  const tried = await send(deps, claimed, messageRef, signal);
  if (tried.meaning === "unedited") await forgetMessage(deps.db, claimed);
  await store(deps, claimed, tried);
}

interface Tried extends Pick<
  TryResult,
  "status" | "answer" | "error" | "latency_ms" | "message_ref"
> {
  readonly meaning: AnswerMeaning;
  readonly retryAfter: string | null;
}

async function send(
  { outbound, sealer, clock }: DeliveryDeps,
  claimed: ClaimedDelivery,
  messageRef: string | null,
  signal: AbortSignal | undefined,
): Promise<Tried> {
  const startedAt = performance.now();
  const latency = () => Math.round(performance.now() - startedAt);
  const nothing = { status: null, answer: "", retryAfter: null, meaning: "retry" } as const;
  const request = readRequest(sealer, claimed, messageRef, clock.now());
  if (request === undefined) return { ...nothing, error: "unreadable", latency_ms: null };
  try {
    const answer = await outbound.send({ ...request, signal });
    const { format } = claimed;
    const meaning = meaningOf(format, messageRef !== null, answer);
    return {
      status: answer.status,
      answer: readable(answer.body),
      error: null,
      latency_ms: latency(),
      retryAfter: answer.retryAfter,
      meaning,
      ...(meaning === "delivered"
        ? { message_ref: messageRefOf(format, answer.body) ?? messageRef }
        : {}),
    };
  } catch (error) {
    const failure = error instanceof OutboundError ? error.failure : "network";
    return { ...nothing, error: failure, latency_ms: latency() };
  }
}

/** Undefined where the address was sealed under a secret that is no longer known. */
function readRequest(
  sealer: Sealer,
  claimed: ClaimedDelivery,
  messageRef: string | null,
  now: Date,
) {
  const { webhook_id: webhookId, sealed_secret, sealed_former_secret, id, format, body } = claimed;
  const isFormerValid = (claimed.former_secret_until?.getTime() ?? 0) > now.getTime();
  const sealed = [sealed_secret, isFormerValid ? sealed_former_secret : null];
  try {
    const secrets = sealed.flatMap((text) => (text === null ? [] : [sealer.open(text, webhookId)]));
    const url = sealer.open(claimed.sealed_url, webhookId);
    return webhookRequest({ format, url, secrets, id, body, now, messageRef });
  } catch {
    return undefined;
  }
}

/** Without what a database or a terminal would not take. */
function readable(answer: string): string {
  return answer.replace(/(?![\n\t])\p{Cc}|\p{Cs}/gu, "").slice(0, webhookAnswerMax);
}

async function store(deps: DeliveryDeps, claimed: ClaimedDelivery, tried: Tried): Promise<void> {
  const { meaning, retryAfter, ...result } = tried;
  const now = deps.clock.now();
  if (meaning === "delivered") {
    deps.count("delivered");
    await saveResult(deps.db, claimed, { ...result, state: "delivered", next_at: null });
    return noteWorking(deps.db, claimed.webhook_id);
  }
  if (claimed.owner_id === null) {
    // Staff have no list of deliveries to see it in. The address may be a secret.
    const { host } = claimed;
    const { status, error } = result;
    deps.log.warn({ host, status, error }, "The webhook for staff did not take a message");
  }
  const nextAt = nextAfter(deps, claimed, { meaning, retryAfter, now });
  deps.count(nextAt === null ? "failed" : "retried");
  await deps.db.transaction().execute(async (trx) => {
    // Before its deliveries, as a deletion of the webhook does.
    if (!(await lockWebhook(trx, claimed.webhook_id))) return;
    const state = nextAt === null ? "failed" : "pending";
    const isSaved = await saveResult(trx, claimed, { ...result, state, next_at: nextAt });
    if (!isSaved || isTriedOnce(claimed)) return;
    await noteFailing(trx, claimed.webhook_id, now);
    if (meaning === "gone") await turnOff(deps, trx, claimed, { kind: "gone" });
    else if (nextAt === null) {
      const since = new Date(claimed.created_at.getTime() + firstTryMsMax);
      await turnOff(deps, trx, claimed, { kind: "failing", since });
    }
  });
}

/** A test, and what was sent again by hand while the webhook is off: its sender sees what came of it. */
function isTriedOnce({ kind, is_on }: ClaimedDelivery): boolean {
  return kind === "webhook.test" || !is_on;
}

function nextAfter(
  { random }: DeliveryDeps,
  claimed: ClaimedDelivery,
  tried: Pick<Tried, "meaning" | "retryAfter"> & { readonly now: Date },
): Date | null {
  if (tried.meaning === "unedited") return tried.now;
  if (tried.meaning === "gone" || isTriedOnce(claimed)) return null;
  return nextTryAt(claimed.attempts, tried.now, random(), tried.retryAfter);
}

async function turnOff(
  { mailer }: DeliveryDeps,
  trx: Parameters<typeof switchOff>[0],
  claimed: ClaimedDelivery,
  reason: Parameters<typeof switchOff>[2],
): Promise<void> {
  const told = await switchOff(trx, claimed.webhook_id, reason);
  if (told === undefined) return;
  const { host: receiver, shield } = told;
  if (shield === null) {
    return mailStaff({ mailer }, trx, `staff.webhook-${reason.kind}`, { receiver });
  }
  await mailer.enqueue(trx, {
    to: shield.email,
    template: `notifications.webhook-${reason.kind}`,
    locale: shield.locale,
    values: { server: shield.server_name, shieldId: shield.id, receiver },
  });
}
