import { once } from "node:events";
import { z } from "zod";
import { compiled } from "./compile.ts";
import { nextLine, startProgram } from "./program.ts";

/**
 * A request and its answer, as hex. ".." in the answer stands for any byte, in the request for a digit
 * of the exchange's number; "*" at the end of the answer stands for more bytes in the same segment.
 */
export interface Step {
  readonly send: string;
  /** "" expects the end of the connection without an answer. */
  readonly expect: string;
}

export interface Exchange {
  readonly name: string;
  readonly steps: readonly Step[];
  /** The side that ends the connection after the last answer. */
  readonly closes: "server" | "client";
  /** Number of source addresses; by default as many as there are. */
  readonly sources?: number;
  /** Connections at a time. */
  readonly parallel?: number;
  /** Niceness, so that other load on the server goes first. */
  readonly nice?: number;
}

/** Exchanges are numbered from 1 to `count` and start again at 1; the first one is `from` + 1. */
export interface NumberRange {
  readonly from: number;
  readonly count: number;
}

const outcome = z.object({
  done: z.int(),
  wrong: z.int(),
  failed: z.int(),
  seconds: z.number(),
  p50_us: z.int(),
  p99_us: z.int(),
});

export type ExchangeOutcome = z.infer<typeof outcome>;

/** Fewer than the edge allows one address without a verdict. */
const usualParallel = 48;

/** Runs exchanges at the highest rate the server takes. @throws when an answer was wrong */
export async function runExchanges(
  port: number,
  { steps, closes, name, sources = 0, parallel = usualParallel, nice = 0 }: Exchange,
  seconds: number,
  { from, count }: NumberRange = { from: 0, count: 1 },
): Promise<ExchangeOutcome> {
  const pairs = steps.flatMap(({ send, expect }) => [send, expect]);
  const plain = [port, parallel, seconds, closes, from, count, sources].map(String);
  const args = [...plain, ...pairs];
  const program = startProgram(await compiled("exchange"), args, { core: "load", nice });
  const ended = once(program.child, "exit");
  const result = outcome.parse(JSON.parse(await nextLine(program)));
  await ended;
  if (result.wrong > 0) throw new Error(`${name}: ${result.wrong} answers were wrong`);
  if (result.failed > result.done / 1_000) {
    throw new Error(`${name}: ${result.failed} of ${result.done} connections failed`);
  }
  return result;
}
