import { edgeRoutes } from "@palisade/contract/edge/edge-routes";
import { streamLineBytesMax } from "@palisade/contract/edge/stream";
import { mountedPath } from "@palisade/contract/http/route";
import { problem } from "@palisade/contract/errors/problem";
import { apiBase } from "./api-base.ts";
import type { Origin } from "./last-good-store.ts";
import { readLines } from "./line-reader.ts";
import { parseLine, type ParsedLine } from "./stream-line-parser.ts";

export interface StreamConnectionOptions {
  readonly apiUrl: string;
  readonly credential: string;
  readonly since: number;
  /** The origin of `since`; null when it is not known. */
  readonly origin: Origin | null;
  readonly schema: number;
  /** The version of the node's own program, for staff. */
  readonly programVersion: string;
  /** The connection is closed after this long without data, headers included. */
  readonly silenceMsMax: number;
  readonly signal: AbortSignal;
  readonly fetch?: typeof globalThis.fetch;
  readonly lineBytesMax?: number;
}

/** The control plane answered, but not with a stream. */
export class StreamRefused extends Error {
  readonly status: number;
  /** The message of the control plane, with the fix where there is one. */
  readonly reason: string | undefined;

  constructor(status: number, reason?: string) {
    super(`configuration stream refused with HTTP ${status}`);
    this.name = "StreamRefused";
    this.status = status;
    this.reason = reason;
  }
}

/**
 * One connection of the configuration stream, as lines. It ends when the control plane closes it;
 * leaving the loop closes it too.
 *
 * @throws StreamRefused for an answer other than 200; an Error for silence and broken connections
 */
export async function* openStream(options: StreamConnectionOptions): AsyncGenerator<ParsedLine> {
  const silence = new AbortController();
  // A half-open connection causes no error: only the missing heartbeats show it.
  const watchdog = setTimeout(
    () => silence.abort(new Error(`no data for ${options.silenceMsMax} ms`)),
    options.silenceMsMax,
  );
  const send = options.fetch ?? globalThis.fetch;
  const url = new URL(apiBase(options.apiUrl) + mountedPath(edgeRoutes.configStream));
  url.searchParams.set("since", String(options.since));
  url.searchParams.set("schema", String(options.schema));
  url.searchParams.set("program_version", options.programVersion);
  if (options.origin !== null) {
    url.searchParams.set("edge", options.origin.edge_id);
    url.searchParams.set("epoch", options.origin.epoch);
  }
  try {
    const response = await send(url, {
      headers: {
        authorization: `Bearer ${options.credential}`,
        accept: "application/x-ndjson",
      },
      signal: AbortSignal.any([options.signal, silence.signal]),
      // Nothing but the configured address may configure this node.
      redirect: "error",
    });
    if (response.status !== 200 || response.body === null) {
      throw new StreamRefused(response.status, await reasonOf(response));
    }
    const lines = readLines(
      watched(response.body, watchdog),
      options.lineBytesMax ?? streamLineBytesMax,
    );
    for await (const line of lines) yield parseLine(line);
  } finally {
    clearTimeout(watchdog);
    silence.abort();
  }
}

async function reasonOf(response: Response): Promise<string | undefined> {
  const body: unknown = await response.json().catch(() => undefined);
  return problem.safeParse(body).data?.message;
}

async function* watched(
  body: ReadableStream<Uint8Array>,
  watchdog: NodeJS.Timeout,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    watchdog.refresh();
    yield chunk;
  }
}
