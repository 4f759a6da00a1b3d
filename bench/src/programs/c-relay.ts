import { freePort } from "@palisade/testing/free-port";
import { compiled } from "./compile.ts";
import { nextLine, type Program, startProgram } from "./program.ts";

/** Starts the minimal TCP relay in C. */
export async function startCRelay(
  backendPort: number,
  nice = 0,
): Promise<Program & { readonly port: number }> {
  const port = await freePort();
  const args = [port, backendPort].map(String);
  const program = startProgram(await compiled("relay"), args, { core: "server", nice });
  await nextLine(program);
  return { ...program, port };
}
