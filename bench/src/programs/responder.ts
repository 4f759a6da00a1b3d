import { freePort } from "@palisade/testing/free-port";
import { compiled } from "./compile.ts";
import { nextLine, type Program, startProgram } from "./program.ts";

/** Starts the minimal responder in C. */
export async function startResponder(
  answers: { readonly statusAnswer: Buffer; readonly kick: Buffer },
  nice = 0,
): Promise<Program & { readonly port: number }> {
  const port = await freePort();
  const { statusAnswer, kick } = answers;
  const args = [String(port), statusAnswer.toString("hex"), kick.toString("hex")];
  const program = startProgram(await compiled("responder"), args, { core: "server", nice });
  await nextLine(program);
  return { ...program, port };
}
