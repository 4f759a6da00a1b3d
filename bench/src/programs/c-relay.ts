import { freePort } from "@palisade/testing/free-port";
import { compiled } from "./compile.ts";
import { nextLine, type Program, startProgram } from "./program.ts";

/** Starts the minimal TCP relay in C, before other programs as the edge's relay processes are. */
export async function startCRelay(
  backendPort: number,
): Promise<Program & { readonly port: number }> {
  const port = await freePort();
  const args = [port, backendPort].map(String);
  const program = startProgram(await compiled("relay"), args, { core: "server", isRealTime: true });
  await nextLine(program);
  return { ...program, port };
}
