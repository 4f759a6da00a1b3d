import { edgeRoutes } from "@palisade/contract/edge/edge-routes";
import { CallError, createClient } from "@palisade/contract/http/client";
import { apiBase } from "./api-base.ts";
import { createBackoff } from "./backoff.ts";
import { readCredential, writeCredential, type Credential } from "./credential.ts";
import type { Log } from "./log.ts";
import { sleep } from "./sleep.ts";

export interface EnrolmentOptions {
  /** File of the credential, mode 0600. */
  readonly path: string;
  readonly apiUrl: string;
  /** One-time token of an invitation; needed only as long as there is no credential. */
  readonly token: string | undefined;
  readonly kind: Credential["kind"];
  /** Addresses at which players reach this edge. */
  readonly addresses: readonly string[];
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly fetch?: typeof globalThis.fetch;
  readonly retry?: { readonly baseMs: number; readonly capMs: number };
}

/** Enrolment cannot succeed until the operator does what the message says. */
export class EnrolmentError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "EnrolmentError";
  }
}

/**
 * Returns the stored credential, or exchanges the token for a new one. Waits for an api that cannot
 * be reached; a stored credential needs no api.
 *
 * @throws EnrolmentError naming the fix when the token is missing or refused
 */
export async function ensureCredential(options: EnrolmentOptions): Promise<Credential> {
  const { path, kind, token, log } = options;
  const stored = await readCredential(path);
  if (stored !== null) {
    if (stored.kind === kind) return stored;
    throw new EnrolmentError(
      `${path} holds a credential of kind "${stored.kind}", this program needs "${kind}". ` +
        `Remove the file and enrol with a token of the right kind: ${newToken(kind)}`,
    );
  }
  if (token === undefined) {
    throw new EnrolmentError(
      `There is no usable credential at ${path} and PALISADE_EDGE_TOKEN is not set. ${newToken(kind)}`,
    );
  }
  const credential = await exchange(options, token);
  await writeCredential(path, credential);
  log.info({ edge_id: credential.edge_id, location: credential.location }, "enrolled");
  if (credential.kind !== kind) {
    throw new EnrolmentError(
      `The token was made for kind "${credential.kind}", this program needs "${kind}". ${newToken(kind)}`,
    );
  }
  return credential;
}

async function exchange(options: EnrolmentOptions, token: string): Promise<Credential> {
  const call = createClient({
    baseUrl: apiBase(options.apiUrl),
    ...(options.fetch ? { fetch: options.fetch } : {}),
  });
  const backoff = createBackoff(options.retry ?? { baseMs: 200, capMs: 5_000 });
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { data } = await call(edgeRoutes.enrol, {
        body: { token, addresses: [...options.addresses] },
        signal: AbortSignal.any([options.signal, AbortSignal.timeout(10_000)]),
      });
      return data;
    } catch (error) {
      if (options.signal.aborted) throw error;
      const refusal = refused(error);
      if (refusal !== null) {
        throw new EnrolmentError(
          `The control plane refused PALISADE_EDGE_TOKEN: ${refusal}. ` +
            `A token works once and for a limited time. ${newToken(options.kind)}`,
          { cause: error },
        );
      }
      if (attempt === 1) reportWaiting(options, error);
      await sleep(backoff.next(), options.signal);
    }
  }
}

function reportWaiting(options: EnrolmentOptions, error: unknown): void {
  options.log.warn(
    { api: options.apiUrl, cause: error instanceof Error ? error.message : String(error) },
    "the control plane cannot be reached for enrolment; waiting for it",
  );
}

/** The reason of a refusal that is final; null when another attempt may succeed. */
function refused(error: unknown): string | null {
  if (!(error instanceof CallError)) return null;
  const { status } = error;
  if (status < 400 || status >= 500 || status === 408 || status === 429) return null;
  return error.message;
}

/** The step of the operator that gives a node another credential. */
export function newToken(kind: Credential["kind"]): string {
  return (
    "Make a new one with `npm run palisade -- edge invite --name <name> --location <location> " +
    `--kind ${kind}\` and start again with PALISADE_EDGE_TOKEN=<token>.`
  );
}
