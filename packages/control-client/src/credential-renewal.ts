import { edgeRoutes } from "@palisade/contract/edge/edge-routes";
import type { Client } from "@palisade/contract/http/client";
import { newToken } from "./enrol.ts";
import { readCredential, writeCredential, type Credential } from "./credential.ts";
import type { Log } from "./log.ts";
import { sleep } from "./sleep.ts";

export interface CredentialRenewalOptions {
  /** File of the credential. */
  readonly path: string;
  /** The credential in use. It is changed in place, and every later call uses the new one. */
  readonly credential: Credential;
  readonly call: Client;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly now?: () => Date;
  /** Pause between two looks whether it is time. */
  readonly lookMs?: number;
}

const hourMs = 3_600_000;
const answerMs = 10_000;

/**
 * Renews the credential long before it expires, until `signal` aborts. The control plane takes the
 * former one until the new one is used, so that a crash between the two loses neither.
 */
export async function keepCredential(options: CredentialRenewalOptions): Promise<void> {
  const { credential, signal } = options;
  const now = options.now ?? (() => new Date());
  while (!signal.aborted) {
    if (credential.renew_at === undefined || new Date(credential.renew_at) <= now()) {
      await renew(options).catch((error: unknown) => {
        if (signal.aborted) return;
        reportFailure(options, error, now());
      });
    }
    await sleep(options.lookMs ?? hourMs, signal);
  }
}

/** From this many days before the end, only the operator can still help. */
const urgentDays = 14;
const dayMs = 86_400_000;

function reportFailure(
  { path, credential, log }: CredentialRenewalOptions,
  error: unknown,
  now: Date,
) {
  const { expires_at, kind } = credential;
  const leftMs =
    expires_at === undefined ? Infinity : new Date(expires_at).getTime() - now.getTime();
  const facts = { err: error, expires_at };
  if (leftMs <= 0) {
    log.error(
      facts,
      `the credential has expired, and the last good configuration keeps serving. Remove ${path}. ${newToken(kind)}`,
    );
  } else {
    const level = leftMs < urgentDays * dayMs ? "error" : "warn";
    log[level](facts, "the credential is not renewed; the next try is later");
  }
}

async function renew({ path, credential, call, log, signal }: CredentialRenewalOptions) {
  const { data } = await call(edgeRoutes.renewCredential, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
  });
  await writeCredential(path, { ...credential, ...data });
  Object.assign(credential, data);
  log.info({ expires_at: data.expires_at }, "credential renewed");
}

/**
 * Takes over the credential of the file, where another process of this edge (its successor in a hot
 * restart) has renewed it. @returns whether it is another one
 */
export async function reloadCredential(path: string, credential: Credential): Promise<boolean> {
  const stored = await readCredential(path).catch(() => null);
  if (stored === null || stored.credential === credential.credential) return false;
  Object.assign(credential, stored);
  return true;
}
