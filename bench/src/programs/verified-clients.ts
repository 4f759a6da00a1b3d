import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { encodeFrame } from "@palisade/minecraft-protocol/java/fields";
import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import { loginAcknowledged } from "@palisade/minecraft-protocol/java/login-success";
import { strangersLogin } from "#src/edge/sample-shields.ts";

const parallel = 32;
/** Packet ids of 1.21 in the configuration state: the challenges, and the transfer of verified players. */
const ids = { loginSuccess: 2, keepAlive: 4, transfer: 11 } as const;
const frameBytesMax = 4_096;

/**
 * New players that pass their challenges, each with its own name and network, at the highest rate of
 * this process. @returns how many were transferred
 */
export async function verifyClients(port: number, seconds: number, from: number): Promise<number> {
  const endsAt = performance.now() + 1_000 * seconds;
  let next = from;
  let passed = 0;
  const inTurn = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      await verify(port, next++);
      passed++;
    }
  };
  await Promise.all(Array.from({ length: parallel }, inTurn));
  return passed;
}

/** @throws when the edge does not transfer the client */
async function verify(port: number, n: number): Promise<void> {
  const localAddress = `127.${1 + ((n >> 8) % 250)}.${n & 255}.7`;
  const socket = connect({ host: "127.0.0.1", port, localAddress, noDelay: true });
  socket.write(strangersLogin(`New${String(n).padStart(8, "0")}`));
  let isTransferred = false;
  let held: Buffer = Buffer.alloc(0);
  socket.on("data", (bytes: Buffer) => {
    held = Buffer.concat([held, bytes]);
    for (;;) {
      const frame = readFrame(held, 0, frameBytesMax);
      if (frame.kind !== "packet") return;
      isTransferred ||= answer(socket, frame.id, held.subarray(frame.bodyStart, frame.bodyEnd));
      held = held.subarray(frame.bodyEnd);
    }
  });
  await once(socket, "close");
  if (!isTransferred) throw new Error("a client that passed its challenges was not transferred");
}

/** Answers a packet. @returns whether it was the transfer, which is the last one */
function answer(socket: Socket, id: number, body: Buffer): boolean {
  if (id === ids.loginSuccess) socket.write(loginAcknowledged);
  else if (id === ids.keepAlive) socket.write(encodeFrame(ids.keepAlive, body));
  else if (id === ids.transfer) socket.destroy();
  return id === ids.transfer;
}
