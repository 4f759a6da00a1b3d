import type { ImapFlow } from "imapflow";
import type { Logger } from "pino";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import type { InboundMails } from "./inbound-mails.service.ts";
import type { ImapConfig } from "./inbound-config.ts";
import { mailBytesMax } from "./mail-limits.ts";

export interface ImapPollDeps {
  readonly config: ImapConfig;
  readonly mails: InboundMails;
  /** Whether an address is one of ours, signed or not. */
  readonly isReplyAddress: (address: string) => boolean;
  readonly log: Logger;
}

/** Mails of one look. */
const mailsMax = 50;
/** Unread mails that a look goes through, the newest ones. */
const looksMax = 500;
const pollMsMax = 120_000;

/**
 * Looks into a mailbox each minute. Mails to reply addresses are kept and marked as read; all
 * others stay as they are, since people may read the mailbox too. A mail that is fetched twice,
 * because the process died before it was marked, is kept once.
 */
export function imapPollJob(deps: ImapPollDeps): JobDefinition<object> {
  return {
    name: "ticket-mail.fetch",
    retryLimit: 0,
    retryDelaySeconds: 60,
    cron: "* * * * *",
    run: (_, signal) => pollMailbox(deps, signal),
  };
}

export async function pollMailbox(deps: ImapPollDeps, signal?: AbortSignal): Promise<void> {
  const { host, port, secure, user, password, mailbox } = deps.config;
  // Only installations with a mailbox need it.
  const { ImapFlow: Client } = await import("imapflow");
  const client = new Client({
    host,
    port,
    secure,
    auth: { user, pass: password },
    // The library's log holds what the server says; ours names no person.
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: 20_000,
    greetingTimeout: 15_000,
    socketTimeout: 60_000,
    maxLineLength: 1024 * 1024,
    maxLiteralSize: mailBytesMax + 1024,
    maxResponseSize: mailBytesMax + 2 * 1024 * 1024,
  });
  // Reported by the command that waits too; without a listener it would end the process.
  client.on("error", () => undefined);
  const deadline = AbortSignal.timeout(pollMsMax);
  const ended = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
  const close = (): void => client.close();
  ended.addEventListener("abort", close);
  try {
    await client.connect();
    const lock = await client.getMailboxLock(mailbox);
    try {
      await fetchMails(client, deps);
    } finally {
      lock.release();
    }
    await client.logout();
  } catch (error) {
    throw describe(error);
  } finally {
    ended.removeEventListener("abort", close);
    client.close();
  }
}

async function fetchMails(client: ImapFlow, deps: ImapPollDeps): Promise<void> {
  const unread = await client.search({ seen: false }, { uid: true });
  const uids = (unread || []).slice(-looksMax);
  if (uids.length === 0) return;
  const query = { uid: true, size: true, headers: ["to", "cc", "delivered-to", "x-original-to"] };
  const found: { readonly uid: number; readonly size: number; readonly recipient: string }[] = [];
  for await (const message of client.fetch(uids, query, { uid: true })) {
    const recipient = recipientIn(message.headers, deps.isReplyAddress);
    if (recipient !== null) found.push({ uid: message.uid, size: message.size ?? 0, recipient });
  }
  for (const { uid, size, recipient } of found.slice(0, mailsMax)) {
    if (size <= mailBytesMax) {
      const message = await client.fetchOne(uid, { source: true }, { uid: true });
      if (message === false || message.source === undefined) continue;
      await deps.mails.keep({ via: "imap", recipient, sender: "", source: message.source });
    } else {
      deps.log.warn({ uid, size }, "A mail to a ticket is too large, and left in the mailbox");
    }
    await client.messageFlagsAdd(uid, ["\\Seen"], { uid: true });
  }
}

const addressPattern = /[^\s<>,;:"()]{1,64}@[^\s<>,;:"()]{1,255}/g;

/** The first of our reply addresses in the headers. */
function recipientIn(
  headers: Buffer | undefined,
  isReplyAddress: (address: string) => boolean,
): string | null {
  const text = (headers?.toString("latin1") ?? "").slice(0, 64 * 1024);
  return (text.match(addressPattern) ?? []).find(isReplyAddress) ?? null;
}

interface ImapFailure {
  readonly message: string;
  readonly code?: string;
  readonly authenticationFailed?: boolean;
  readonly responseStatus?: string;
}

/** The server's words may name the mailbox, and the commands sent to it hold the password. */
function describe(error: unknown): Error {
  // Whatever imapflow throws is an Error with some of these.
  const { message, code, authenticationFailed, responseStatus } = error as ImapFailure;
  if (authenticationFailed === true) {
    return new Error("The IMAP server refuses user and password of PALISADE_INBOUND_IMAP");
  }
  const parts = [message, code, responseStatus].filter((part) => part !== undefined);
  return new Error(`The mailbox of PALISADE_INBOUND_IMAP cannot be read: ${parts.join(" ")}`);
}
