import { fileURLToPath } from "node:url";
import { compiled } from "./compile.ts";
import { nextLine, type Program, startProgram } from "./program.ts";

/** The relay in TypeScript on packages/sockets. */
export function startUdpRelay(port: number, backendPort: number): Promise<Program> {
  const main = fileURLToPath(new URL("../udp-relay/udp-relay-main.ts", import.meta.url));
  return start(process.execPath, [main, String(port), String(backendPort)]);
}

/** The minimal relay in C. @param nice its niceness */
export async function startCUdpRelay(
  port: number,
  backendPort: number,
  nice = 0,
): Promise<Program> {
  return start(await compiled("udpRelay"), [String(port), String(backendPort)], nice);
}

async function start(command: string, args: readonly string[], nice = 0): Promise<Program> {
  const program = startProgram(command, args, { core: "server", nice });
  await nextLine(program);
  return program;
}
