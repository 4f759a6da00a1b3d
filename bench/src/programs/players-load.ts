import { z } from "zod";
import { playerName, requests } from "#src/edge/sample-shields.ts";
import { compiled } from "./compile.ts";
import { nextLine, type Program, startProgram } from "./program.ts";

const ready = z.object({ ready: z.int() });
const outcome = z.object({
  packets: z.int(),
  bytes: z.int(),
  wrong: z.int(),
  lost: z.int(),
  seconds: z.number(),
  p50_us: z.int(),
  p99_us: z.int(),
});

export type PlayersOutcome = z.infer<typeof outcome>;

/** Packets of one player in one direction. */
export interface Traffic {
  readonly perSecond: number;
  readonly bytes: number;
}

/** Players that have joined through a server, and their backend. */
export interface Players extends Program {
  /** Both sides send at their rate, and every byte is checked. @throws when one was wrong or lost */
  packets(seconds: number, up: Traffic, down: Traffic): Promise<PlayersOutcome>;
  /** In both directions a packet that arrives is followed by the next one. @throws likewise */
  saturate(seconds: number, upBytes: number, downBytes: number): Promise<PlayersOutcome>;
  /** The backend sends to this many players at full speed. */
  bulk(seconds: number, downloads: number): Promise<PlayersOutcome>;
}

/**
 * Real time, so that what shares its core delays no measurement.
 *
 * @param login the first bytes of each player
 * @throws when not all of them join
 */
export async function joinPlayers(
  count: number,
  serverPort: number,
  backendPort: number,
  login: Buffer = requests.login,
): Promise<Players> {
  const numbers = [serverPort, backendPort, count].map(String);
  const args = [...numbers, login.toString("hex"), playerName];
  const program = startProgram(await compiled("players"), args, { core: "load", isRealTime: true });
  const joined = ready.parse(JSON.parse(await nextLine(program))).ready;
  if (joined !== count) throw new Error(`${joined} of ${count} players joined`);
  const run = async (command: string): Promise<PlayersOutcome> => {
    program.child.stdin?.write(`${command}\n`);
    const result = outcome.parse(JSON.parse(await nextLine(program)));
    if (result.wrong + result.lost === 0) return result;
    throw new Error(`${command}: ${result.wrong} wrong, ${result.lost} lost`);
  };
  return {
    ...program,
    packets: (seconds, up, down) =>
      run(`packets ${seconds} ${up.perSecond} ${up.bytes} ${down.perSecond} ${down.bytes}`),
    saturate: (seconds, upBytes, downBytes) => run(`saturate ${seconds} ${upBytes} ${downBytes}`),
    bulk: (seconds, downloads) => run(`bulk ${seconds} ${downloads}`),
  };
}
