import type { RouteDefinition, UploadCaps } from "@palisade/contract/http/route";
import type { Readable } from "node:stream";
import type { z } from "zod";
import type { ContextOf } from "./context.ts";
import type { Upload } from "./uploads.ts";

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** Validated input; unknown keys are gone. */
export interface HandlerInput<R extends RouteDefinition> {
  readonly params: Parsed<R["params"]>;
  readonly query: Parsed<R["querystring"]>;
  readonly body: R["rawBody"] extends true ? Buffer : Parsed<R["body"]>;
  /** Files beside the body; none where it came as JSON. */
  readonly uploads: R["uploads"] extends UploadCaps ? readonly Upload[] : undefined;
}

/** For this host alone and all of its paths: see cookies.ts. */
export interface AnswerCookie {
  readonly name: string;
  readonly value: string;
  /** 0 deletes it. */
  readonly maxAgeSeconds: number;
  readonly httpOnly: boolean;
}

/**
 * The success answer; its status is the contract's. A Readable is streamed, as NDJSON unless `headers`
 * name another type. A Buffer is a file, whose type they name.
 */
export interface Answer<R extends RouteDefinition> {
  readonly body: z.input<R["response"]> | Readable | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly AnswerCookie[];
}

export type Handler<R extends RouteDefinition> = (
  ctx: ContextOf<R>,
  input: HandlerInput<R>,
) => Promise<Answer<R>>;

/**
 * A call that waits for a third party, which it must not do inside a transaction. `begin` commits
 * the order, under the Idempotency-Key if there is one; `finish` goes on from there, outside any
 * transaction. A repeated call repeats `finish` until it has succeeded once.
 */
export interface TwoSteps<R extends RouteDefinition, P = undefined> {
  /** Before the transaction: what takes long and changes nothing yet. */
  prepare?(ctx: ContextOf<R>, input: HandlerInput<R>): Promise<P>;
  /** @returns JSON that tells `finish` what was begun */
  begin(ctx: ContextOf<R>, input: HandlerInput<R>, prepared: P): Promise<object>;
  /** The call was refused, or another one with its key came first: nothing of it was committed. */
  discard?(prepared: P): Promise<void>;
  /** Idempotent: it may run again, or at the same time in another process. */
  finish(ctx: ContextOf<R>, begun: unknown): Promise<Answer<R>>;
}

/** Binds a handler to a contract route; see mount.ts for what it enforces around it. */
export type Mount = <const R extends RouteDefinition, P = undefined>(
  definition: R,
  handler: Handler<R> | TwoSteps<R, P>,
) => void;
