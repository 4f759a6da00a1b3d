import { fileURLToPath } from "node:url";
import { compiled } from "./compile.ts";
import { nextLine, type Program, startProgram } from "./program.ts";

/** The relay in TypeScript on packages/sockets. */
export function startUdpRelay(port: number, backendPort: number): Promise<Program> {
  const main = fileURLToPath(new URL("../udp-relay/udp-relay-main.ts", import.meta.url));
  return start(process.execPath, [main, String(port), String(backendPort)]);
}

/** The minimal relay in C. */
export async function startCUdpRelay(port: number, backendPort: number): Promise<Program> {
  return start(await compiled("udpRelay"), [String(port), String(backendPort)]);
}

async function start(command: string, args: readonly string[]): Promise<Program> {
  const program = startProgram(command, args, { core: "server" });
  await nextLine(program);
  return program;
}
