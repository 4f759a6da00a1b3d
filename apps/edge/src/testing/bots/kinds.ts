import { type Bot, GameBot, silentBot } from "./bot.ts";
import { EagerBot, type Recording, Replayer } from "./recording.ts";

export interface BotContext {
  readonly protocol: number;
  /** Bytes of a game that a server has let in, or that has come as far as it could. */
  readonly recording: Recording;
  readonly nowMs: () => number;
}

/** All kinds of bots that the program has, each with what it can do. */
export const botKinds = {
  /** A login, then nothing. */
  silent: () => silentBot,
  /** Answers packets, tells no settings, and does not fall. */
  scripted: ({ protocol }) => new GameBot({ protocol, falls: false, tells: false }),
  /** Tells its settings too. */
  "keep-alive": ({ protocol }) => new GameBot({ protocol, falls: false }),
  /** Falls by the formula, through every floor. */
  gravity: ({ protocol }) => new GameBot({ protocol, collides: false }),
  /** All of a game but its player. */
  game: ({ protocol }) => new GameBot({ protocol }),
  replayer: ({ recording, nowMs }) => new Replayer(recording, nowMs),
  eager: ({ recording }) => new EagerBot(recording),
  /** A game that stops once it is in the world. */
  staller: ({ protocol }) => new GameBot({ protocol, stalls: true }),
  /** A game whose player reads the code of a captcha, which the owner gives as text. */
  solver: ({ protocol }) => new GameBot({ protocol, reads: true }),
} as const satisfies Record<string, (context: BotContext) => Bot>;

export type BotKind = keyof typeof botKinds;

export function isBotKind(name: string): name is BotKind {
  return Object.hasOwn(botKinds, name);
}
