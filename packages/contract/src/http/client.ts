import type { z } from "zod";
import type { Problem } from "../errors/problem.ts";
import { readProblem } from "../errors/read-problem.ts";
import { mountedPath, type RouteDefinition } from "./route.ts";

type Field<K extends string, S> = S extends z.ZodType
  ? { [P in K]: z.input<S> }
  : { [P in K]?: undefined };

/** The input of a call to `R`: exactly the parts that its contract declares. */
export type CallInput<R extends RouteDefinition> = Field<"params", R["params"]> &
  Field<"query", R["querystring"]> &
  Field<"body", R["body"]> &
  (R extends { readonly uploads: object } ? { uploads?: readonly File[] } : unknown) & {
    headers?: Record<string, string>;
    signal?: AbortSignal;
  };

export interface CallResult<R extends RouteDefinition> {
  readonly data: R extends { readonly answersFile: true }
    ? Blob
    : R extends { readonly streams: true }
      ? ReadableStream<Uint8Array>
      : z.output<R["response"]>;
  readonly headers: Headers;
}

/** An answer outside 200-299, or none at all (`problem` is null: the connection failed). */
export class CallError extends Error {
  readonly status: number;
  readonly problem: Problem | null;
  /** The value of `Retry-After`, if there was one. */
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    answer: Problem | null,
    cause?: unknown,
    retryAfterSeconds: number | null = null,
  ) {
    super(answer?.message ?? `HTTP ${status}`, { cause });
    this.name = "CallError";
    this.status = status;
    this.problem = answer;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface ClientOptions {
  /** Origin, without a trailing slash; empty for the page's own. */
  readonly baseUrl: string;
  /** Read at every call, so that a login takes effect at once. */
  readonly headers?: () => Record<string, string>;
  readonly fetch?: typeof globalThis.fetch;
}

export type Client = <const R extends RouteDefinition>(
  definition: R,
  input: CallInput<R>,
) => Promise<CallResult<R>>;

/**
 * A fetch client for the contract's routes.
 *
 * @throws CallError for every answer that is not a success and for a failed connection
 * @example
 * const call = createClient({ baseUrl: "http://127.0.0.1:8080" });
 * const { data } = await call(routes.auth.login, { body: { email, password } });
 */
export function createClient(options: ClientOptions): Client {
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);
  return async (definition, input) => {
    const url =
      options.baseUrl + fillPath(mountedPath(definition), input.params) + toQuery(input.query);
    const files = "uploads" in input ? (input.uploads as readonly File[] | undefined) : undefined;
    const body = encodeBody(definition, input.body, files);
    let response: Response;
    try {
      response = await send(url, {
        method: definition.method,
        headers: {
          accept: "application/json",
          ...(body === undefined || body instanceof FormData
            ? {}
            : { "content-type": "application/json" }),
          ...options.headers?.(),
          ...input.headers,
        },
        ...(body === undefined ? {} : { body }),
        ...(input.signal ? { signal: input.signal } : {}),
        // The api never redirects: what does must not get tokens.
        redirect: "error",
      });
    } catch (cause) {
      throw new CallError(0, null, cause);
    }
    if (!response.ok) throw await toCallError(response);
    // The server serialises by the same schema; parsing it again would only cost time.
    const data: unknown = await readBody(definition, response);
    return { data: data as never, headers: response.headers };
  };
}

async function readBody(
  { answersFile, streams }: RouteDefinition,
  response: Response,
): Promise<unknown> {
  if (answersFile === true) return response.blob();
  if (streams === true) return response.body;
  const isText = response.headers.get("content-type")?.startsWith("text/") ?? false;
  return isText ? response.text() : response.json();
}

/**
 * JSON, or a form: of nested names in brackets, or of fields with files beside them. The type of a form
 * names its boundary, so `fetch` and `XMLHttpRequest` set it themselves.
 */
export function encodeBody(
  { multipart, uploads }: RouteDefinition,
  body: unknown,
  files: readonly File[] = [],
): string | FormData | undefined {
  if (uploads !== undefined && files.length > 0) return formWithFiles(uploads.field, body, files);
  if (body === undefined) return undefined;
  if (multipart === undefined) return JSON.stringify(body);
  const form = new FormData();
  for (const [group, values] of Object.entries(body ?? {})) {
    for (const [name, value] of Object.entries((values as object | undefined) ?? {})) {
      if (value !== undefined) form.set(`${group}[${name}]`, formValue(value));
    }
  }
  return form;
}

function formWithFiles(field: string, body: unknown, files: readonly File[]): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body ?? {})) {
    if (value !== undefined && value !== null) form.set(name, String(value));
  }
  for (const [index, file] of files.entries()) form.set(`${field}[${index}]`, file, file.name);
  return form;
}

/** Data URIs travel as files; what is empty says, in a form, what null says in JSON. */
function formValue(value: unknown): string | Blob {
  const text = typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);
  const [, type, encoded] = /^data:(image\/[a-z]+);base64,(.+)$/.exec(text) ?? [];
  if (type === undefined || encoded === undefined) return text;
  const bytes = Uint8Array.from(atob(encoded), (character) => character.codePointAt(0) ?? 0);
  return new Blob([bytes], { type });
}

async function toCallError(response: Response): Promise<CallError> {
  const body: unknown = await response.json().catch(() => null);
  const retryAfter = Number.parseInt(response.headers.get("retry-after") ?? "", 10);
  return new CallError(
    response.status,
    readProblem(body),
    undefined,
    Number.isNaN(retryAfter) ? null : retryAfter,
  );
}

function fillPath(path: string, params: unknown): string {
  const values = new Map(Object.entries(params ?? {}));
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
}

function toQuery(query: unknown): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}
