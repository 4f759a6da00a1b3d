import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { until } from "@palisade/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { closeDescriptor, type DescriptorTracking, trackDescriptors } from "./descriptors.ts";
import { errno } from "./errno.ts";
import { type Libc, replaceLibc } from "./libc.ts";
import { SocketAddresses } from "./socket-address.ts";
import { SocketBatch } from "./socket-batch.ts";
import { acceptTcp, boundAddress, listenTcp, setOption } from "./tcp.ts";
import { withoutIoUring } from "./testing/without-io-uring.ts";

const loopback = "127.0.0.1";
const entriesMax = 16;
const blockBytes = 4_096;

const kernels: readonly { kernel: string; wrap: (real: Libc) => Libc }[] = [
  { kernel: "the kernel of this machine", wrap: (real) => real },
  { kernel: "a kernel without io_uring", wrap: withoutIoUring },
  {
    kernel: "a kernel with memory for two requests",
    wrap: (real) => ({
      ...real,
      io_uring_enter: (ring, requests) => real.io_uring_enter(ring, Math.min(2, requests)),
    }),
  },
  {
    kernel: "a kernel with memory for no request",
    wrap: (real) => ({ ...real, io_uring_enter: () => -1 }),
  },
];

let tracking: DescriptorTracking;
let sockets: { readonly client: Socket; readonly fd: number }[];

beforeEach(async () => {
  tracking = trackDescriptors();
  const listener = listenTcp({ ip: loopback, port: 0, backlog: entriesMax });
  const { port } = boundAddress(listener);
  sockets = [];
  for (let entry = 0; entry < entriesMax; entry++) {
    const client = connect({ host: loopback, port, allowHalfOpen: true, noDelay: true });
    client.on("error", () => undefined);
    await once(client, "connect");
    sockets.push({ client, fd: acceptTcp(listener, new SocketAddresses()) });
  }
  closeDescriptor(listener);
});

afterEach(() => {
  for (const { client, fd } of sockets) {
    client.destroy();
    closeDescriptor(fd);
  }
  tracking.stop();
});

describe.each(kernels)("a batch of sockets on $kernel", ({ wrap }) => {
  let batch: SocketBatch;
  let restore: () => void;

  beforeEach(() => {
    restore = replaceLibc(wrap);
    batch = new SocketBatch({ entriesMax, blockBytes });
  });

  afterEach(() => {
    batch.close();
    restore();
  });

  /** The results of all sockets. */
  async function received(): Promise<{ result: number; text: string }[]> {
    sockets.forEach(({ fd }, entry) => batch.toReceive(entry, fd));
    batch.receive(sockets.length);
    return sockets.map((_, entry) => {
      const result = batch.results[entry] ?? 0;
      const at = batch.offset(entry);
      return { result, text: batch.bytes.toString("latin1", at, at + Math.max(0, result)) };
    });
  }

  test("receives what each has: bytes, nothing, an end or a reset", async () => {
    sockets.forEach(({ client }, entry) => {
      if (entry % 4 === 0) client.write(`packet ${entry}`);
      if (entry % 4 === 1) client.end();
      if (entry % 4 === 2) client.resetAndDestroy();
    });
    const first: { result: number; text: string }[] = [];
    await until(async () => {
      const now = await received();
      now.forEach((one, entry) => {
        if (one.result !== -errno.EAGAIN) first[entry] ??= one;
      });
      return sockets.every((_, entry) => entry % 4 === 3 || first[entry] !== undefined);
    });
    sockets.forEach((_, entry) => {
      const text = `packet ${entry}`;
      const expected = [
        { result: text.length, text },
        { result: 0, text: "" },
        { result: -errno.ECONNRESET, text: "" },
        undefined,
      ];
      expect(first[entry]).toEqual(expected[entry % 4]);
    });
  });

  test("sends to each its own bytes, and leaves out those of no bytes", async () => {
    const arrived = sockets.map(() => "");
    sockets.forEach(({ client, fd }, entry) => {
      client.on("data", (bytes: Buffer) => (arrived[entry] += bytes.toString("latin1")));
      const text = entry % 3 === 0 ? "" : `answer ${entry}`;
      batch.bytes.write(text, batch.offset(entry), "latin1");
      batch.toSend(entry, fd, text.length);
    });
    batch.send(sockets.length);
    const expected = sockets.map((_, entry) => (entry % 3 === 0 ? "" : `answer ${entry}`));
    await until(async () => arrived.join() === expected.join());
    expected.forEach((text, entry) => {
      if (text !== "") expect(batch.results[entry]).toBe(text.length);
    });
  });

  test("says which take a part or nothing, and which are gone", async () => {
    const [slow, gone] = sockets;
    if (slow === undefined || gone === undefined) throw new Error("no sockets");
    setOption(slow.fd, "sendBuffer", 4_096);
    slow.client.pause();
    gone.client.resetAndDestroy();
    await until(async () => (await received())[1]?.result === -errno.ECONNRESET);
    let sent = 0;
    const results: number[] = [];
    while (results.at(-1) !== -errno.EAGAIN) {
      batch.toSend(0, slow.fd, blockBytes);
      batch.toSend(1, gone.fd, 10);
      batch.send(2);
      results.push(batch.results[0] ?? 0);
      sent += Math.max(0, batch.results[0] ?? 0);
      expect(batch.results[1]).toBe(-errno.EPIPE);
    }
    expect(results[0]).toBeGreaterThan(0);
    let arrived = 0;
    slow.client.on("data", (bytes: Buffer) => (arrived += bytes.length)).resume();
    await until(async () => arrived === sent);
  });
});

test("a kernel that forbids io_uring is no failure, and calls are made as usual", () => {
  const restore = replaceLibc(withoutIoUring);
  const batch = new SocketBatch({ entriesMax, blockBytes });
  restore();
  expect(batch.isOneCall).toBe(false);
  batch.close();
});
