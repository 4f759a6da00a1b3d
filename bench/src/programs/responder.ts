import { freePort } from "@palisade/testing/free-port";
import type { Core } from "#src/machine/cores.ts";
import { compiled } from "./compile.ts";
import { nextLine, type Program, startProgram } from "./program.ts";

/** Starts the minimal responder in C. @param core of the load if it is a backend */
export async function startResponder(
  answers: { readonly statusAnswer: Buffer; readonly kick: Buffer },
  nice = 0,
  core: Core = "server",
): Promise<Program & { readonly port: number }> {
  const port = await freePort();
  const { statusAnswer, kick } = answers;
  const args = [String(port), statusAnswer.toString("hex"), kick.toString("hex")];
  const program = startProgram(await compiled("responder"), args, { core, nice });
  await nextLine(program);
  return { ...program, port };
}
