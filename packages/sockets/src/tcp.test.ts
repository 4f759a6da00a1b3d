import { createServer, connect, type Socket } from "node:net";
import { once } from "node:events";
import { until } from "@palisade/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { closeDescriptor, trackDescriptors, type DescriptorTracking } from "./descriptors.ts";
import { Epoll, epollEvents } from "./epoll.ts";
import { errno } from "./errno.ts";
import { NativeMemory } from "./native-memory.ts";
import { SocketAddresses } from "./socket-address.ts";
import {
  acceptTcp,
  boundAddress,
  connectAgain,
  connectResult,
  connectTcp,
  getOption,
  listenTcp,
  receive,
  resetOnClose,
  send,
  setOption,
  shutDown,
} from "./tcp.ts";

const loopback = "127.0.0.1";
const buffer = new NativeMemory(256 * 1_024);
let tracking: DescriptorTracking;
const sockets: Socket[] = [];

beforeEach(() => {
  tracking = trackDescriptors();
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  tracking.stop();
});

/** A client of Node and the accepted descriptor of its connection. */
async function connected(
  ip = loopback,
): Promise<{ client: Socket; fd: number; peer: SocketAddresses }> {
  const listener = listenTcp({ ip, port: 0, backlog: 16 });
  const peer = new SocketAddresses();
  const { port } = boundAddress(listener);
  const client = connect({ host: ip, port, allowHalfOpen: true });
  sockets.push(client);
  await once(client, "connect");
  const fd = acceptTcp(listener, peer);
  closeDescriptor(listener);
  expect(fd).toBeGreaterThan(0);
  return { client, fd, peer };
}

async function received(fd: number): Promise<number> {
  let count = -errno.EAGAIN;
  await until(async () => {
    count = receive(fd, buffer.address, buffer.bytes.length);
    return count !== -errno.EAGAIN;
  });
  return count;
}

describe("a connection", () => {
  test.each([loopback, "::1"])("names its peer, takes and gives bytes, over %s", async (ip) => {
    const { client, fd, peer } = await connected(ip);
    expect(peer.read()).toEqual({ ip, port: client.localPort });
    client.write("ping");
    expect(await received(fd)).toBe(4);
    expect(buffer.bytes.toString("latin1", 0, 4)).toBe("ping");
    buffer.bytes.write("pong");
    const answer = once(client, "data");
    expect(send(fd, buffer.address, 4)).toBe(4);
    expect(String((await answer)[0])).toBe("pong");
    closeDescriptor(fd);
  });

  test("without bytes says EAGAIN, and at the end of the peer's direction 0", async () => {
    const { client, fd } = await connected();
    expect(receive(fd, buffer.address, 16)).toBe(-errno.EAGAIN);
    client.end();
    expect(await received(fd)).toBe(0);
    closeDescriptor(fd);
  });

  test("takes a part, then nothing while its peer does not read, and goes on afterwards", async () => {
    const { client, fd } = await connected();
    client.pause();
    let sent = 0;
    let last = 0;
    while (last >= 0) {
      last = send(fd, buffer.address, buffer.bytes.length);
      if (last > 0) sent += last;
    }
    expect(last).toBe(-errno.EAGAIN);
    let arrived = 0;
    client.on("data", (bytes: Buffer) => (arrived += bytes.length)).resume();
    await until(async () => arrived === sent);
    expect(send(fd, buffer.address, 1)).toBe(1);
    closeDescriptor(fd);
  });

  test("that is reset says so to a reader and to a writer", async () => {
    const { client, fd } = await connected();
    client.resetAndDestroy();
    expect(await received(fd)).toBe(-errno.ECONNRESET);
    expect(send(fd, buffer.address, 1)).toBe(-errno.EPIPE);
    closeDescriptor(fd);
  });

  test("can be reset on close, so that the peer learns of it at once", async () => {
    const { client, fd } = await connected();
    const failed = once(client, "error");
    resetOnClose(fd);
    closeDescriptor(fd);
    expect((await failed)[0]).toMatchObject({ code: "ECONNRESET" });
  });

  test("ends in one direction and goes on in the other", async () => {
    const { client, fd } = await connected();
    const ended = once(client, "end");
    client.resume();
    shutDown(fd, "send");
    await ended;
    client.write("still here");
    expect(await received(fd)).toBe(10);
    closeDescriptor(fd);
  });
});

describe("connecting", () => {
  test("is told by a writable event, and its result is 0", async () => {
    const server = createServer().listen(0, loopback);
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const fd = connectTcp({ ip: loopback, port: address.port });
    const epoll = new Epoll(4);
    epoll.add(fd, epollEvents.writable, 7, 1);
    expect([epoll.wait(5_000), epoll.slot(0), epoll.generation(0)]).toEqual([1, 7, 1]);
    expect(connectResult(fd)).toBe(0);
    closeDescriptor(fd);
    epoll.close();
    server.close();
  });

  test("to a closed port ends with ECONNREFUSED", () => {
    const listener = listenTcp({ ip: loopback, port: 0, backlog: 1 });
    const { port } = boundAddress(listener);
    closeDescriptor(listener);
    const fd = connectTcp({ ip: loopback, port });
    if (fd < 0) {
      expect(fd).toBe(-errno.ECONNREFUSED);
      return;
    }
    const epoll = new Epoll(1);
    epoll.add(fd, epollEvents.writable, 0, 0);
    expect(epoll.wait(5_000)).toBe(1);
    expect(connectResult(fd)).toBe(-errno.ECONNREFUSED);
    closeDescriptor(fd);
    epoll.close();
  });

  test("within this machine has ended when it is asked for again, whether it stands or was refused", () => {
    const listener = listenTcp({ ip: loopback, port: 0, backlog: 1 });
    const to = { ip: loopback, port: boundAddress(listener).port };
    const fd = connectTcp(to);
    expect(connectAgain(fd, to)).toBe(0);
    const peer = acceptTcp(listener, new SocketAddresses());
    expect(peer).toBeGreaterThan(0);
    closeDescriptor(fd);
    closeDescriptor(peer);
    closeDescriptor(listener);
    const refused = connectTcp(to);
    if (refused < 0) {
      expect(refused).toBe(-errno.ECONNREFUSED);
      return;
    }
    expect(connectAgain(refused, to)).toBe(-errno.ECONNREFUSED);
    closeDescriptor(refused);
  });

  test("stands for its peer once its first bytes are sent, if it is to send them first", () => {
    const listener = listenTcp({ ip: loopback, port: 0, backlog: 8 });
    const to = { ip: loopback, port: boundAddress(listener).port };
    let fd = connectTcp(to, { sendsFirst: true });
    for (let peer; (peer = acceptTcp(listener, new SocketAddresses())) > 0;) {
      // This test was held up for so long that the kernel has sent the last packet without them.
      for (const end of [peer, fd]) closeDescriptor(end);
      fd = connectTcp(to, { sendsFirst: true });
    }
    expect(connectAgain(fd, to)).toBe(0);
    expect(send(fd, buffer.address, 1)).toBe(1);
    const peer = acceptTcp(listener, new SocketAddresses());
    expect(peer).toBeGreaterThan(0);
    expect(receive(peer, buffer.address, 2)).toBe(1);
    for (const end of [peer, fd, listener]) closeDescriptor(end);
  });

  test("is still under way while nothing has answered", () => {
    // Once its queue is full the kernel drops further attempts.
    const listener = listenTcp({ ip: loopback, port: 0, backlog: 0 });
    const to = { ip: loopback, port: boundAddress(listener).port };
    const fds = Array.from({ length: 8 }, () => connectTcp(to));
    expect(connectAgain(fds.at(-1) ?? -1, to)).toBe(-errno.EALREADY);
    for (const fd of fds) closeDescriptor(fd);
    closeDescriptor(listener);
  });

  test("comes from the address it is given", async () => {
    const server = createServer().listen(0, loopback);
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const accepted = once(server, "connection");
    const fd = connectTcp(
      { ip: loopback, port: address.port },
      { from: { ip: "127.0.0.9", port: 0 } },
    );
    const [socket] = (await accepted) as [Socket];
    expect(socket.remoteAddress).toBe("127.0.0.9");
    socket.destroy();
    closeDescriptor(fd);
    server.close();
  });
});

describe("listening", () => {
  test("on a port in use fails with EADDRINUSE and keeps no descriptor", () => {
    const first = listenTcp({ ip: loopback, port: 0, backlog: 1 });
    const { port } = boundAddress(first);
    expect(() => listenTcp({ ip: loopback, port, backlog: 1 })).toThrow("bind: EADDRINUSE");
    closeDescriptor(first);
  });

  test("several sockets share a port if all of them want to", () => {
    const first = listenTcp({ ip: loopback, port: 0, backlog: 1, reusePort: true });
    const { port } = boundAddress(first);
    const second = listenTcp({ ip: loopback, port, backlog: 1, reusePort: true });
    expect(boundAddress(second).port).toBe(port);
    closeDescriptor(first);
    closeDescriptor(second);
  });

  test("accepts nothing while no connection waits", () => {
    const listener = listenTcp({ ip: loopback, port: 0, backlog: 1 });
    expect(acceptTcp(listener, new SocketAddresses())).toBe(-errno.EAGAIN);
    closeDescriptor(listener);
  });

  test("options are read back as they were set", () => {
    const listener = listenTcp({ ip: loopback, port: 0, backlog: 1 });
    setOption(listener, "userTimeoutMs", 12_000);
    setOption(listener, "noDelay", 1);
    expect(getOption(listener, "userTimeoutMs")).toBe(12_000);
    expect(getOption(listener, "noDelay")).toBe(1);
    closeDescriptor(listener);
  });
});
