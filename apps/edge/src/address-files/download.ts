import { readCappedBody } from "#src/http/capped-body.ts";
import { vpnLimits } from "./limits.ts";

/** The server's name for the version that is stored here, to ask it for a newer one. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

export type Downloaded =
  | { readonly kind: "unchanged" }
  | { readonly kind: "new"; readonly bytes: Buffer; readonly validators: Validators };

const redirectsMax = 5;

/**
 * Fetches a list. A name and a password in the URL are sent to its own host only.
 *
 * @throws Error whose message names no URL, for there may be a key in it
 */
export async function download(
  url: string,
  validators: Validators,
  bytesMax: number = vpnLimits.mmdbBytesMax,
  timeoutMs: number = vpnLimits.downloadMs,
): Promise<Downloaded> {
  const signal = AbortSignal.timeout(timeoutMs);
  const first = new URL(url);
  let next = first;
  for (let hop = 0; hop <= redirectsMax; hop++) {
    const response = await ask(
      next,
      next.origin === first.origin ? first : undefined,
      validators,
      signal,
    );
    if (response.status === 304) return { kind: "unchanged" };
    const location = response.headers.get("location");
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel();
      next = redirected(location, next);
      continue;
    }
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`the server answered ${response.status}`);
    }
    const etag = response.headers.get("etag") ?? undefined;
    const lastModified = response.headers.get("last-modified") ?? undefined;
    const bytes = await readBounded(response, bytesMax);
    return { kind: "new", bytes, validators: { etag, lastModified } };
  }
  throw new Error(`more than ${redirectsMax} redirects`);
}

/** Encryption that was asked for is not given up on the way. */
function redirected(location: string, from: URL): URL {
  if (!URL.canParse(location, from.href)) throw new Error("it is redirected to no URL");
  const next = new URL(location, from);
  const isLoopback = next.protocol === "http:" && next.origin === from.origin;
  if (next.protocol !== "https:" && !isLoopback) {
    throw new Error("it is redirected to a URL without encryption");
  }
  return next;
}

async function ask(
  url: URL,
  credentials: URL | undefined,
  { etag, lastModified }: Validators,
  signal: AbortSignal,
): Promise<Response> {
  const headers = new Headers({ "user-agent": "palisade-vpn-update" });
  if (credentials !== undefined && credentials.username !== "") {
    const pair = `${decodeURIComponent(credentials.username)}:${decodeURIComponent(credentials.password)}`;
    headers.set("authorization", `Basic ${Buffer.from(pair).toString("base64")}`);
  }
  if (etag !== undefined) headers.set("if-none-match", etag);
  else if (lastModified !== undefined) headers.set("if-modified-since", lastModified);
  const bare = new URL(url);
  bare.username = "";
  bare.password = "";
  try {
    return await fetch(bare, { headers, signal, redirect: "manual" });
  } catch (error) {
    if (signal.aborted) throw new Error("it takes too long", { cause: error });
    throw new Error(`the server cannot be reached (${codeOf(error)})`, { cause: error });
  }
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause ? String(cause.code) : "no connection";
}

async function readBounded(response: Response, bytesMax: number): Promise<Buffer> {
  const bytes = await readCappedBody(response, bytesMax).catch((error: unknown) => {
    throw new Error("the connection broke off", { cause: error });
  });
  if (bytes === undefined) throw new Error(`it is larger than ${bytesMax} bytes`);
  return bytes;
}
