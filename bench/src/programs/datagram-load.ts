import { z } from "zod";
import { compiled } from "./compile.ts";
import type { Traffic } from "./players-load.ts";
import { nextLine, type Program, startProgram } from "./program.ts";

const ready = z.object({ ready: z.int() });
const outcome = z.object({
  packets: z.int(),
  wrong: z.int(),
  lost: z.int(),
  seconds: z.number(),
  p50_us: z.int(),
  p99_us: z.int(),
});

export type DatagramOutcome = z.infer<typeof outcome>;

/** Clients with a session each through a UDP relay, and their backend. */
export interface DatagramClients extends Program {
  /** Both sides send at their rate. @throws when a byte was wrong or too many datagrams were lost */
  packets(seconds: number, up: Traffic, down: Traffic): Promise<DatagramOutcome>;
  /** The backend sends each datagram back; the times are of the whole round trip. @throws likewise */
  echoes(seconds: number, traffic: Traffic): Promise<DatagramOutcome>;
  /** In both directions a datagram that arrives is followed by the next one. @throws likewise */
  saturate(seconds: number, upBytes: number, downBytes: number): Promise<DatagramOutcome>;
}

/** Buffers overflow when a program has no core for a while; the result says how many were lost. */
const lostShareMax = 0.5;

/** Bytes before what is checked of a datagram of a RakNet connection. */
export const rakNetHeadBytes = 14;

interface ClientsOptions {
  /** Clients open connections as Bedrock does, each from an address of its own. */
  readonly isRakNet?: boolean;
  /** Programs on the same core delay no measurement. */
  readonly isRealTime?: boolean;
}

export async function connectClients(
  count: number,
  relayPort: number,
  backendPort: number,
  { isRakNet = false, isRealTime = false }: ClientsOptions = {},
): Promise<DatagramClients> {
  const args = [relayPort, backendPort, count].map(String);
  if (isRakNet) args.push("raknet");
  const program = startProgram(await compiled("datagrams"), args, { core: "load", isRealTime });
  const open = ready.parse(JSON.parse(await nextLine(program))).ready;
  if (open !== count) throw new Error(`${open} of ${count} clients have a session`);
  const run = async (command: string): Promise<DatagramOutcome> => {
    program.child.stdin?.write(`${command}\n`);
    const result = outcome.parse(JSON.parse(await nextLine(program)));
    const { wrong, lost, packets } = result;
    if (wrong === 0 && lost <= packets * lostShareMax) return result;
    throw new Error(`${command}: ${wrong} wrong, ${lost} of ${packets} lost`);
  };
  return {
    ...program,
    packets: (seconds, up, down) =>
      run(`packets ${seconds} ${up.perSecond} ${up.bytes} ${down.perSecond} ${down.bytes}`),
    echoes: (seconds, { perSecond, bytes }) => run(`echoes ${seconds} ${perSecond} ${bytes}`),
    saturate: (seconds, upBytes, downBytes) => run(`saturate ${seconds} ${upBytes} ${downBytes}`),
  };
}
