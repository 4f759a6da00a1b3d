import { once } from "node:events";
import {
  type DatagramFloodOrder,
  datagramFloodProgram,
  type DatagramFloodResult,
} from "@palisade/system-tests/raknet/flood-order";
import { startProgram } from "./program.ts";

/** Datagrams from forged addresses of loopback. Needs root. */
export async function floodDatagrams(
  order: Omit<DatagramFloodOrder, "host" | "firstSource" | "fromPort">,
  fromPort: number,
): Promise<DatagramFloodResult> {
  const whole = { ...order, host: "127.0.0.1", firstSource: "127.200.0.1", fromPort };
  const args = [datagramFloodProgram, JSON.stringify(whole)];
  const program = startProgram(process.execPath, args, { core: "load" });
  const { promise, resolve, reject } = Promise.withResolvers<DatagramFloodResult>();
  program.child.on("message", (message: { kind: string } | DatagramFloodResult) => {
    if ("sent" in message) resolve(message);
  });
  program.child.once("exit", (code) => reject(new Error(`the flood ended with ${code}`)));
  const [result] = await Promise.all([promise, once(program.child, "exit")]);
  return result;
}
