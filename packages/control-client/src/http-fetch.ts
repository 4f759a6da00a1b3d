import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";

/** The error that `fetch` gives; the reason of the signal if that fired. */
function failure(text: string, cause: unknown, signal: AbortSignal | undefined): unknown {
  return signal?.aborted === true ? signal.reason : new TypeError(text, { cause });
}

function send(
  url: URL,
  init: RequestInit,
  signal: AbortSignal | undefined,
): Promise<IncomingMessage> {
  // An import would load all that the module exports, undici included.
  const http = process.getBuiltinModule("node:http");
  const { request } = url.protocol === "https:" ? process.getBuiltinModule("node:https") : http;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request(url, {
    method: init.method ?? "GET",
    // Every caller gives plain names and values.
    headers: { "user-agent": "node", ...(init.headers as OutgoingHttpHeaders | undefined) },
    ...(signal && { signal }),
  });
  sent.on("response", resolve);
  sent.on("error", (error) => reject(failure("fetch failed", error, signal)));
  sent.end(init.body ?? undefined);
  return promise;
}

async function* bytesOf(
  answer: IncomingMessage,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  try {
    // Without an encoding it gives bytes; leaving the loop ends the connection.
    for await (const chunk of answer) yield chunk as Buffer;
  } catch (error) {
    throw failure("terminated", error, signal);
  }
}

async function textOf(bytes: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * `fetch` for calls to the control plane, on Node's own HTTP client. Node's `fetch` would load undici, whose
 * parser is WebAssembly: 15 MB in every edge, for a few calls a minute.
 *
 * It does what these calls need: text as body, an answer as text, JSON or a stream of bytes, and `signal`. A
 * redirect is an answer like any other, so that a credential goes to the address of the settings alone. Answers
 * are not compressed. Failures are those of `fetch`.
 */
export async function httpFetch(input: string | URL | Request, init: RequestInit = {}) {
  if (typeof input !== "string" && !(input instanceof URL)) throw new TypeError("not a URL");
  const signal = init.signal ?? undefined;
  signal?.throwIfAborted();
  const answer = await send(new URL(input), init, signal);
  const status = answer.statusCode ?? 0;
  const body = bytesOf(answer, signal);
  const response = {
    status,
    ok: status >= 200 && status < 300,
    headers: { get: (name: string) => answer.headers[name.toLowerCase()] ?? null },
    body,
    text: () => textOf(body),
    json: async () => JSON.parse(await textOf(body)) as unknown,
  };
  // The parts of a `Response` that the clients of this package and of the contract read.
  return response as unknown as Response;
}
