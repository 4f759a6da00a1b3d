import { createHash } from "node:crypto";
import { errorStatus, type ErrorCode } from "@palisade/contract/errors/codes";
import type { RouteDefinition } from "@palisade/contract/http/route";
import { pickLocale, type Locale } from "@palisade/contract/texts/render";
import type { z } from "zod";
import { example } from "./example-answer.ts";
import { problemOf, Refusal, validated } from "./problems.ts";
import { matchRoute, type MatchedRoute } from "./route-matcher.ts";

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** A handler gets the request as the route's schemas have validated it. */
export interface StubCall<R extends RouteDefinition> {
  readonly params: Parsed<R["params"]>;
  readonly query: Parsed<R["querystring"]>;
  readonly body: Parsed<R["body"]>;
  readonly locale: Locale;
  readonly files: readonly StubFile[];
}

/** A file that came with a form. */
export interface StubFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

export type Handler<R extends RouteDefinition> = (call: StubCall<R>) => z.input<R["response"]>;

export interface StubRequest {
  readonly method: string;
  readonly pathname: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly files?: readonly StubFile[];
}

export interface RawAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Buffer;
  /** Identifies the path's present answer; a change that names another one in `If-Match` is refused. */
  readonly etag?: string | undefined;
}

type ErasedHandler = (call: StubCall<RouteDefinition>) => unknown;
interface OverriddenCall {
  /** The call as the contract allows it; anything else is refused. */
  readonly check: () => StubCall<RouteDefinition>;
  /** The answer of the route's handler. */
  readonly usual: () => unknown;
  readonly locale: Locale;
}

/** Decides about a call in place of its handler: `"cut"` closes the connection unanswered. */
type Override = (call: OverriddenCall) => RawAnswer | "cut" | Promise<RawAnswer | "cut">;

export type Words = Readonly<Record<Locale, string>>;

export interface SpokenRefusal {
  readonly code?: ErrorCode | undefined;
  /** The field the words are about, instead of the call as a whole. */
  readonly field?: string | undefined;
}

export const accessToken = "pst_stub";

/**
 * The api, generated from the contract: every request and every answer is validated by the
 * schemas of its route. A route without a handler answers with the contract's example values.
 * A test can make any route fail, wait or answer something else; `reset` takes all of it back.
 */
export class StubApi {
  readonly #handlers = new Map<string, ErasedHandler>();
  readonly #overrides = new Map<string, Override>();
  readonly #waits = new Map<string, Promise<void>>();
  readonly #releases: (() => void)[] = [];
  readonly #calls: { readonly id: string; readonly request: StubRequest }[] = [];
  /** Calls outside the contract and answers that break it; a test with any of them fails. */
  readonly violations: string[] = [];

  handle<R extends RouteDefinition>(route: R, handler: Handler<R>): void {
    // `answer` gives the handler what the schemas of this route have produced.
    this.#handlers.set(route.id, handler);
  }

  /** The route answers this instead of what its handler says, which `change` receives. */
  change<T>(
    route: RouteDefinition & { readonly response: z.ZodType<unknown, T> },
    change: (usual: T) => NoInfer<T>,
  ): void {
    // The handler's answer has the type of the route's schema.
    this.#overrides.set(route.id, ({ usual }) => this.#success(route, change(usual() as T)));
  }

  refuse(route: RouteDefinition, code: ErrorCode, issues: Refusal["issues"] = []): void {
    this.#overrides.set(route.id, ({ locale }) => refusalAnswer(new Refusal(code, issues), locale));
  }

  /**
   * Calls that the contract allows are answered with these words, in the caller's language. With a
   * code they are refused.
   */
  say(route: RouteDefinition, words: Words, { code, field }: SpokenRefusal = {}): void {
    this.#overrides.set(route.id, ({ check, usual, locale }) => {
      const message = words[locale];
      if (code === undefined) return this.#success(route, { ...Object(usual()), message });
      check();
      throw field === undefined
        ? new Refusal(code, [], message)
        : new Refusal(code, [{ path: field, code: "invalid", message }]);
    });
  }

  /** For answers the contract does not know: a proxy's error page, an unknown status. */
  answerRaw(route: RouteDefinition, answer: RawAnswer): void {
    this.#overrides.set(route.id, () => answer);
  }

  /** Calls of the route lose their connection before an answer. */
  cut(route: RouteDefinition): void {
    this.#overrides.set(route.id, () => "cut");
  }

  /** The route behaves as before `change`, `refuse`, `answerRaw` or `cut`. */
  restore(route: RouteDefinition): void {
    this.#overrides.delete(route.id);
  }

  /** Calls of the route are answered once the returned function was called. */
  delay(route: RouteDefinition): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waits.set(route.id, promise);
    const release = (): void => {
      this.#waits.delete(route.id);
      resolve();
    };
    this.#releases.push(release);
    return release;
  }

  callsOf(route: RouteDefinition): readonly StubRequest[] {
    return this.#calls.filter(({ id }) => id === route.id).map(({ request }) => request);
  }

  /** Takes back what a test has arranged; handlers stay. */
  reset(): void {
    for (const release of this.#releases.splice(0)) release();
    this.#overrides.clear();
    this.#calls.length = 0;
    this.violations.length = 0;
  }

  async answer(request: StubRequest): Promise<RawAnswer | "cut"> {
    const locale = pickLocale(request.headers["accept-language"]);
    const match = matchRoute(request.method, request.pathname);
    if (match === undefined) {
      this.violations.push(`The contract has no ${request.method} ${request.pathname}`);
      return refusalAnswer(new Refusal("not_found"), locale);
    }
    this.#calls.push({ id: match.route.id, request });
    await this.#waits.get(match.route.id);
    const known = request.headers["if-match"];
    // A part that has its own path and is read with the whole has its etag in the body.
    const etag = known === undefined ? undefined : await this.#etagOf(request, locale);
    if (etag !== undefined && etag !== known) {
      return refusalAnswer(new Refusal("precondition_failed"), locale);
    }
    const answer = await this.#respond(match, request, locale);
    if (answer === "cut") return answer;
    return { ...answer, etag: await this.#etagOf(request, locale) };
  }

  /** The etag of the path; undefined where nothing can be read. */
  async #etagOf(request: StubRequest, locale: Locale): Promise<string | undefined> {
    const shown = matchRoute("GET", request.pathname);
    if (shown === undefined) return undefined;
    const read = { ...request, method: "GET", body: undefined };
    const answer = await this.#respond(shown, read, locale);
    if (answer === "cut") return undefined;
    return `"${createHash("sha256").update(answer.body).digest("base64url")}"`;
  }

  async #respond(
    { route, params }: MatchedRoute,
    request: StubRequest,
    locale: Locale,
  ): Promise<RawAnswer | "cut"> {
    const check = (): StubCall<RouteDefinition> => {
      if (!mayCall(route, request.headers["authorization"])) throw new Refusal("unauthenticated");
      return {
        params: validated(route.params, params),
        query: validated(route.querystring, request.query),
        body: validated(route.body, request.body),
        locale,
        files: request.files ?? [],
      };
    };
    const usual = (): unknown => {
      const call = check();
      const handler = this.#handlers.get(route.id);
      return handler === undefined ? example(route) : handler(call);
    };
    try {
      const override = this.#overrides.get(route.id);
      return override === undefined
        ? this.#success(route, usual())
        : await override({ check, usual, locale });
    } catch (error) {
      if (error instanceof Refusal) return refusalAnswer(error, locale);
      this.violations.push(`${route.id}: ${String(error)}`);
      return refusalAnswer(new Refusal("internal"), locale);
    }
  }

  #success(route: RouteDefinition, value: unknown): RawAnswer {
    const data: unknown = route.response.parse(value);
    const isText = typeof data === "string";
    // Each character of a file's text is one of its bytes.
    if (route.answersFile === true) {
      const body = Buffer.from(String(data), "latin1");
      return { status: route.success, contentType: "application/octet-stream", body };
    }
    const type = isText ? "text/plain" : "application/json";
    return {
      status: route.success,
      contentType: `${type}; charset=utf-8`,
      body: isText ? data : JSON.stringify(data),
    };
  }
}

/** A call with the stub's own token is signed in. */
function mayCall({ access }: RouteDefinition, authorization: string | undefined): boolean {
  return access === "anonymous" || authorization === `Bearer ${accessToken}`;
}

function refusalAnswer(refusal: Refusal, locale: Locale): RawAnswer {
  return {
    status: errorStatus[refusal.code],
    contentType: "application/problem+json; charset=utf-8",
    body: JSON.stringify(problemOf(refusal, locale)),
  };
}
