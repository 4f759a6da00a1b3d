import { createHmac, timingSafeEqual } from "node:crypto";
import type { Locale } from "@palisade/contract/texts/locale";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { Jobs } from "#src/platform/jobs/jobs.ts";
import type { Mailer } from "#src/platform/mail/mailer.ts";
import type { Keys } from "#src/platform/security/derived-key.ts";
import type { Sealer } from "#src/platform/security/sealing.ts";
import { newWebhookSecret } from "#src/platform/security/webhook-signature.ts";
import { subscriptionLink } from "./status-paths.ts";
import {
  changeSubscriber,
  countOfHost,
  deleteSubscriber,
  insertSubscriber,
  lockSubscriberByKey,
  selectSubscriber,
  type SubscriberRow,
} from "./subscribers.repository.ts";

export const webhookJob = "status.webhook";

export interface SubscriptionDeps {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly mailer: Mailer;
  readonly sealer: Sealer;
  /** Sign the tokens, and find addresses again without storing them. */
  readonly keys: Keys;
  readonly consoleOrigin: () => string;
}

/** One receiver cannot be called at many addresses for one update. */
const perHostMax = 5;

/** The one token of a subscription: it confirms, and it unsubscribes. */
export function tokenOf([key]: Keys, subscriberId: string): string {
  return `${subscriberId}.${signatureOf(key, subscriberId).toString("base64url")}`;
}

/** @returns the subscriber's id; undefined where the token is not ours */
export function readToken(keys: Keys, token: string): string | undefined {
  const [id = "", signature = ""] = token.split(".");
  if (!/^[0-9a-f-]{36}$/.test(id)) return undefined;
  const given = Buffer.from(signature, "base64url");
  const isOurs = keys.some((key) => {
    const expected = signatureOf(key, id);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isOurs ? id : undefined;
}

function signatureOf(key: Buffer, id: string): Buffer {
  return createHmac("sha256", key).update(`status-subscription ${id}`).digest();
}

/** Finds an address again, without telling it to readers of the table. */
function addressKey([key]: Keys, address: string): string {
  return createHmac("sha256", key).update(`address ${address}`).digest("base64url");
}

/**
 * Asks the owner of the address to confirm. It does the same work for an address that is subscribed,
 * so that the answer does not show who is.
 */
export async function subscribeMail(
  deps: SubscriptionDeps,
  email: string,
  locale: Locale,
  now: Date,
): Promise<void> {
  const address = email.toLowerCase();
  await deps.db.transaction().execute(async (trx) => {
    const { row } = await ask(deps, trx, { kind: "mail", address, host: null, locale, now });
    const template = row.confirmed_at === null ? "status.confirm" : "status.already";
    const link = subscriptionLink(deps.consoleOrigin(), tokenOf(deps.keys, row.id));
    await deps.mailer.enqueue(trx, { to: email, template, locale, values: { link } });
  });
}

/**
 * Sends the address a message with a link that confirms: only those who read its messages can
 * subscribe it.
 *
 * @returns the secret that signs the messages; `known` where the address is subscribed, `full` where
 * its host has too many
 */
export async function subscribeWebhook(
  deps: SubscriptionDeps,
  url: URL,
  locale: Locale,
  now: Date,
): Promise<{ readonly secret: string } | "known" | "full"> {
  return deps.db.transaction().execute(async (trx) => {
    const secret = newWebhookSecret();
    const asked = { kind: "webhook", address: url.href, host: url.hostname, locale, now } as const;
    const { row, isNew } = await ask(deps, trx, asked);
    if (row.confirmed_at !== null) return "known";
    if (isNew && (await countOfHost(trx, url.hostname)) > perHostMax) {
      await deleteSubscriber(trx, row.id);
      return "full";
    }
    const sealed_secret = deps.sealer.seal(secret, row.id);
    await changeSubscriber(trx, row.id, { sealed_secret, locale });
    await deps.jobs.send(trx, webhookJob, { subscriberId: row.id, updateId: null });
    return { secret };
  });
}

interface Asked {
  readonly kind: SubscriberRow["kind"];
  readonly address: string;
  readonly host: string | null;
  readonly locale: Locale;
  readonly now: Date;
}

async function ask(
  { keys, sealer }: SubscriptionDeps,
  trx: Trx,
  { kind, address, host, locale, now }: Asked,
): Promise<{ readonly row: SubscriberRow; readonly isNew: boolean }> {
  const id = newId();
  const key = addressKey(keys, address);
  const isNew = await insertSubscriber(trx, {
    id,
    kind,
    address_key: key,
    sealed_address: sealer.seal(address, id),
    sealed_secret: null,
    host,
    locale,
    created_at: now,
  });
  const row = await lockSubscriberByKey(trx, kind, key);
  if (row === undefined) throw new Error("the subscriber just inserted is not there");
  return { row, isNew };
}

export type SubscriptionState = "unconfirmed" | "confirmed" | "unknown";

/** Says whether the token's subscription is confirmed. */
export async function readSubscription(
  { db, keys }: Pick<SubscriptionDeps, "db" | "keys">,
  token: string,
): Promise<SubscriptionState> {
  const id = readToken(keys, token);
  const row = id === undefined ? undefined : await selectSubscriber(db, id);
  if (row === undefined) return "unknown";
  return row.confirmed_at === null ? "unconfirmed" : "confirmed";
}

/** Can be repeated. @returns false where the token is unknown, or its subscription has ended */
export async function confirm(
  { db, keys }: Pick<SubscriptionDeps, "db" | "keys">,
  token: string,
  now: Date,
): Promise<boolean> {
  const id = readToken(keys, token);
  const row = id === undefined ? undefined : await selectSubscriber(db, id);
  if (row === undefined) return false;
  if (row.confirmed_at === null) await changeSubscriber(db, row.id, { confirmed_at: now });
  return true;
}

/** Can be repeated. @returns false where the token is not ours */
export async function unsubscribe(
  { db, keys }: Pick<SubscriptionDeps, "db" | "keys">,
  token: string,
): Promise<boolean> {
  const id = readToken(keys, token);
  if (id === undefined) return false;
  await deleteSubscriber(db, id);
  return true;
}
