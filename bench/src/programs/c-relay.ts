import { freePort } from "@palisade/testing/free-port";
import { compiled } from "./compile.ts";
import { nextLine, type Program, startProgram } from "./program.ts";

/**
 * Starts the minimal TCP relay in C, before other programs as the edge's relay processes are.
 *
 * @param hasHandover in two processes as the edge: the one that forwards goes before the other
 */
export async function startCRelay(
  backendPort: number,
  { hasHandover = false }: { readonly hasHandover?: boolean } = {},
): Promise<Program & { readonly port: number }> {
  const port = await freePort();
  const args = [port, backendPort, ...(hasHandover ? ["handover"] : [])].map(String);
  const program = startProgram(await compiled("relay"), args, {
    core: "server",
    isRealTime: !hasHandover,
  });
  await nextLine(program);
  return { ...program, port };
}
