import { once } from "node:events";
import { connect } from "node:net";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { readStatusResponse, statusRequest } from "@palisade/minecraft-protocol/java/status";
import { protocol } from "./sample-shields.ts";

/** The status as JSON text; undefined where the edge gives none (it may not know the shield yet). */
export async function pingStatus(
  edge: { readonly host: string; readonly port: number },
  host: string,
): Promise<string | undefined> {
  const socket = connect({ ...edge, noDelay: true });
  const handshake = encodeHandshake({ protocol, host, port: 25_565, intent: "status" });
  let status: string | undefined;
  let received: Buffer = Buffer.alloc(0);
  socket.on("error", () => undefined);
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    const result = readStatusResponse(received);
    if (result.kind === "need-more") return;
    if (result.kind === "status") status = result.json;
    socket.destroy();
  });
  socket.write(Buffer.concat([handshake, statusRequest]));
  await once(socket, "close");
  return status;
}
