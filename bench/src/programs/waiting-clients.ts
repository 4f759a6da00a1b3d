import { z } from "zod";
import { compiled } from "./compile.ts";
import type { Step } from "./exchange-load.ts";
import { nextLine, startProgram } from "./program.ts";

const outcome = z.object({
  replaced: z.int(),
  refused: z.int(),
  least: z.int(),
  seconds: z.number(),
});

export interface WaitingOutcome {
  /** Clients that have ended, and others have replaced, in a second. */
  readonly perSecond: number;
  /** The fewest that were in the check at a time. */
  readonly least: number;
}

export interface WaitingClients {
  /** All of them leave. @throws when the edge has refused some of them */
  stop(): Promise<WaitingOutcome>;
}

export interface WaitingOptions {
  readonly atOnce: number;
  /** From its first byte on a client stays so long in the check. */
  readonly stayMs: number;
  /** Login and first answer as `Exchange` has them, of each shield that they come to in turn. */
  readonly begins: readonly Step[];
  /** It says this in the end, as hex; "": nothing, and the edge ends it. */
  readonly last: string;
  /** Niceness, so that other load goes first. */
  readonly nice: number;
}

/** Keeps clients in the check: each that has ended is replaced at once. Resolves when all are there. */
export async function keepWaiting(
  port: number,
  { atOnce, stayMs, begins, last, nice }: WaitingOptions,
): Promise<WaitingClients> {
  const [first] = begins;
  const plain = [port, atOnce, stayMs].map(String);
  const args = [...plain, last, first?.expect ?? "", ...begins.map(({ send }) => send)];
  const program = startProgram(await compiled("waiting"), args, { core: "load", nice });
  await nextLine(program);
  return {
    async stop() {
      program.child.stdin?.end();
      const { replaced, refused, least, seconds } = outcome.parse(
        JSON.parse(await nextLine(program)),
      );
      await program.stop();
      if (refused > replaced / 100) throw new Error(`the edge refused ${refused} clients`);
      return { perSecond: replaced / seconds, least };
    },
  };
}
