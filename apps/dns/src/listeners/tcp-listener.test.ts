import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { listenTcp, type TcpLimits, type TcpListener } from "./tcp-listener.ts";

let listener: TcpListener | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listener?.close();
});

async function listen(limits: Partial<TcpLimits>): Promise<void> {
  const echo = { respond: (question: Buffer) => question };
  listener = await listenTcp("127.0.0.1", 0, echo, {
    connectionsMax: 100,
    connectionsPerSourceMax: 100,
    idleMs: 60_000,
    backlogBytesMax: 1_000,
    ...limits,
  });
}

async function open(localAddress = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ port: listener?.port ?? 0, host: "127.0.0.1", localAddress });
  sockets.push(socket.on("error", () => undefined));
  await once(socket, "connect");
  return socket;
}

async function answers(socket: Socket): Promise<boolean> {
  socket.write(Buffer.from([0, 1, 7]));
  return Promise.race([
    once(socket, "data").then(() => true),
    once(socket, "close").then(() => false),
  ]);
}

test("a full server closes the connection that has been quiet for the longest time", async () => {
  await listen({ connectionsMax: 2 });
  const first = await open();
  expect(await answers(first)).toBe(true);
  const second = await open();
  expect(await answers(second)).toBe(true);
  expect(await answers(first)).toBe(true);
  const closed = once(second, "close");
  const newest = await open();
  expect(await answers(newest)).toBe(true);
  await closed;
  expect(await answers(first)).toBe(true);
});

test("a source with its share of connections gives up its own, not those of others", async () => {
  await listen({ connectionsPerSourceMax: 1 });
  const other = await open("127.1.0.1");
  expect(await answers(other)).toBe(true);
  const first = await open("127.2.0.1");
  expect(await answers(first)).toBe(true);
  const closed = once(first, "close");
  expect(await answers(await open("127.2.0.1"))).toBe(true);
  await closed;
  expect(await answers(other)).toBe(true);
});
