import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkLayouts } from "./check-layouts.ts";
import {
  closeDescriptor,
  DescriptorError,
  trackDescriptors,
  type DescriptorTracking,
} from "./descriptors.ts";
import { Epoll, epollEvents } from "./epoll.ts";
import { errno } from "./errno.ts";
import { createEventFd, EventFd } from "./event-fd.ts";
import { replaceLibc } from "./libc.ts";
import { NativeMemory } from "./native-memory.ts";
import { SocketAddresses } from "./socket-address.ts";
import { SplicePipe } from "./splice-pipe.ts";
import { acceptTcp, boundAddress, connectTcp, listenTcp, receive, send } from "./tcp.ts";
import { bindUdp, connectUdp, DatagramBatch } from "./udp-socket.ts";
import {
  createChannelPair,
  descriptorsMax,
  UnixChannel,
  type ChannelMessage,
} from "./unix-channel.ts";

const loopback = "127.0.0.1";
let tracking: DescriptorTracking;

beforeEach(() => {
  tracking = trackDescriptors();
});
afterEach(() => {
  tracking.stop();
});

/** Both ends of a connection on loopback. */
function connection(): [number, number] {
  const listener = listenTcp({ ip: loopback, port: 0, backlog: 1 });
  const client = connectTcp(boundAddress(listener));
  const epoll = new Epoll(1);
  epoll.add(listener, epollEvents.readable, 0, 0);
  epoll.wait(5_000);
  const server = acceptTcp(listener, new SocketAddresses());
  epoll.close();
  closeDescriptor(listener);
  return [client, server];
}

function messageOf(received: ChannelMessage | number | null): ChannelMessage {
  if (typeof received !== "object" || received === null) throw new Error(`received ${received}`);
  return received;
}

test("this machine's structures are as the package lays them out", () => {
  expect(checkLayouts).not.toThrow();
});

describe("a descriptor", () => {
  test("that is closed twice is an error while descriptors are tracked", () => {
    const fd = createEventFd();
    closeDescriptor(fd);
    expect(() => closeDescriptor(fd)).toThrow(DescriptorError);
  });

  test("that was closed elsewhere is found when its number comes back", () => {
    const fd = createEventFd();
    const restore = replaceLibc((real) => ({ ...real, eventfd: () => fd }));
    expect(() => createEventFd()).toThrow("closed elsewhere");
    restore();
    closeDescriptor(fd);
  });

  test("is none where the kernel has none left, and the error names the call", () => {
    const restore = replaceLibc((real) => ({
      ...real,
      eventfd: () => -1,
      errno: () => errno.EMFILE,
    }));
    expect(() => createEventFd()).toThrow("eventfd: EMFILE");
    restore();
  });
});

describe("epoll", () => {
  test("reports slot and generation; after a change of both only the new ones", () => {
    const epoll = new Epoll(8);
    const signal = new EventFd(createEventFd());
    epoll.add(signal.fd, epollEvents.readable, 3, 1);
    expect(epoll.wait(0)).toBe(0);
    signal.signal();
    signal.signal();
    expect([epoll.wait(0), epoll.slot(0), epoll.generation(0)]).toEqual([1, 3, 1]);
    epoll.modify(signal.fd, epollEvents.readable, 4, 0xffff_ffff);
    expect([epoll.wait(0), epoll.slot(0), epoll.generation(0)]).toEqual([1, 4, 0xffff_ffff]);
    expect([signal.reset(), signal.reset()]).toEqual([true, false]);
    expect(epoll.wait(0)).toBe(0);
    epoll.remove(signal.fd);
    signal.signal();
    expect(epoll.wait(0)).toBe(0);
    signal.close();
    epoll.close();
  });

  test("is woken by another thread's eventfd", async () => {
    const epoll = new Epoll(1);
    const signal = new EventFd(createEventFd());
    epoll.add(signal.fd, epollEvents.readable, 1, 1);
    const worker = new Worker(
      `const { workerData } = require("node:worker_threads");
       require("node:fs").writeSync(workerData, Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]));`,
      { eval: true, workerData: signal.fd },
    );
    // The thread is blocked here until the other one writes.
    expect(epoll.wait(30_000)).toBe(1);
    await worker.terminate();
    signal.close();
    epoll.close();
  });

  test("a signal of the system ends a wait without an event", () => {
    const epoll = new Epoll(1);
    const restore = replaceLibc((real) => ({
      ...real,
      epoll_wait: () => -1,
      errno: () => errno.EINTR,
    }));
    expect(epoll.wait(0)).toBe(0);
    restore();
    epoll.close();
  });
});

describe("addresses", () => {
  test("every IPv4 and IPv6 address is read as it was written", () => {
    const addresses = new SocketAddresses(2);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.ipV4(),
          fc.ipV6().filter((ip) => !ip.includes(".")),
        ),
        fc.nat(65_535),
        (ip, port) => {
          addresses.write({ ip, port }, 1);
          const read = addresses.read(1);
          addresses.write(read, 0);
          expect(addresses.read(0)).toEqual(read);
          expect(read.port).toBe(port);
          if (!ip.includes(":")) expect(read.ip).toBe(ip);
          else if (!read.ip.includes(".")) {
            expect(read.ip).toBe(new URL(`http://[${ip}]`).hostname.slice(1, -1));
          }
        },
      ),
    );
  });

  test("IPv4 in IPv6 is read as IPv4", () => {
    const addresses = new SocketAddresses();
    addresses.write({ ip: "::ffff:192.0.2.7", port: 1 });
    expect(addresses.read()).toEqual({ ip: "192.0.2.7", port: 1 });
  });

  test.each(["", "1.2.3", "1.2.3.256", "1.2.3.4.5", "::1::", "1:2:3:4:5:6:7", "g::1", "12345::"])(
    "%j is refused",
    (ip) => {
      expect(() => new SocketAddresses().write({ ip, port: 1 })).toThrow(RangeError);
    },
  );
});

describe("a splice pipe", () => {
  test("moves bytes from one connection to another and keeps what one does not take yet", () => {
    const [from, fromPeer] = connection();
    const [to, toPeer] = connection();
    const pipe = new SplicePipe(65_536);
    const memory = new NativeMemory(65_536);
    memory.bytes.write("through the pipe");
    send(fromPeer, memory.address, 16);
    expect(pipe.fill(from, 65_536)).toBe(16);
    expect(pipe.held).toBe(16);
    expect(pipe.fill(from, 65_536)).toBe(-errno.EAGAIN);
    expect(pipe.drain(to)).toBe(16);
    expect([pipe.held, pipe.drain(to)]).toEqual([0, 0]);
    memory.bytes.fill(0);
    expect(receive(toPeer, memory.address, 100)).toBe(16);
    expect(memory.bytes.toString("latin1", 0, 16)).toBe("through the pipe");
    for (const fd of [from, fromPeer, to, toPeer]) closeDescriptor(fd);
    pipe.close();
  });
});

describe("a channel", () => {
  test("carries whole messages, and connections that go on at the receiver", () => {
    const [left, right] = createChannelPair();
    const sender = new UnixChannel(left, 256);
    const receiver = new UnixChannel(right, 256);
    const [client, server] = connection();
    expect(receiver.receive()).toBe(-errno.EAGAIN);
    expect(sender.send(Buffer.from("player 1"), [server])).toBe(0);
    expect(sender.send(Buffer.from("no descriptor"))).toBe(0);
    closeDescriptor(server);
    const { bytes, descriptors } = messageOf(receiver.receive());
    expect(bytes.toString()).toBe("player 1");
    const [passed = -1, ...others] = descriptors;
    expect(others).toEqual([]);
    const second = messageOf(receiver.receive());
    expect([second.bytes.toString(), second.descriptors]).toEqual(["no descriptor", []]);
    const memory = new NativeMemory(16);
    memory.bytes.write("hello");
    send(passed, memory.address, 5);
    expect(receive(client, memory.address, 16)).toBe(5);
    sender.close();
    expect(receiver.receive()).toBeNull();
    for (const fd of [client, passed]) closeDescriptor(fd);
    receiver.close();
  });

  test("refuses more bytes or descriptors than a message has room for", () => {
    const [left, right] = createChannelPair();
    const sender = new UnixChannel(left, 8);
    expect(() => sender.send(Buffer.alloc(9))).toThrow(RangeError);
    expect(() =>
      sender.send(
        Buffer.alloc(1),
        Array.from({ length: descriptorsMax + 1 }, () => left),
      ),
    ).toThrow(RangeError);
    sender.close();
    closeDescriptor(right);
    // Nothing was sent, so nothing was opened.
  });

  test("says EAGAIN while the receiver is behind, and EPIPE when it is gone", () => {
    const [left, right] = createChannelPair();
    const sender = new UnixChannel(left, 65_536);
    const large = Buffer.alloc(65_536);
    let result = 0;
    while (result === 0) result = sender.send(large);
    expect(result).toBe(-errno.EAGAIN);
    closeDescriptor(right);
    expect([-errno.EPIPE, -errno.ECONNRESET]).toContain(sender.send(large));
    sender.close();
  });
});

describe("datagrams", () => {
  test("are sent and received in one call each, with their addresses", () => {
    const one = bindUdp({ ip: loopback, port: 0 });
    const other = bindUdp({ ip: "::1", port: 0 });
    const batch = new DatagramBatch({ datagramsMax: 32, datagramBytesMax: 1_500 });
    for (const fd of [one, other]) {
      const own = boundAddress(fd);
      for (let entry = 0; entry < 32; entry += 1) {
        const length = 1 + entry * 40;
        batch.bytes.fill(entry + 1, batch.offset(entry), batch.offset(entry) + length);
        batch.addresses.write(own, entry);
        batch.prepare(entry, length);
      }
      expect(batch.send(fd, 0, 32)).toBe(32);
      batch.bytes.fill(0);
      expect(batch.receive(fd)).toBe(32);
      for (let entry = 0; entry < 32; entry += 1) {
        expect(batch.length(entry)).toBe(1 + entry * 40);
        expect(batch.bytes[batch.offset(entry) + entry * 40]).toBe(entry + 1);
        expect(batch.bytes[batch.offset(entry) + 1 + entry * 40]).toBe(0);
        expect(batch.addresses.read(entry)).toEqual(own);
        expect(batch.isCut(entry)).toBe(false);
      }
      expect(batch.receive(fd)).toBe(-errno.EAGAIN);
      closeDescriptor(fd);
    }
  });

  test("longer than the room are cut and marked", () => {
    const fd = bindUdp({ ip: loopback, port: 0 });
    const large = new DatagramBatch({ datagramsMax: 1, datagramBytesMax: 2_000 });
    large.addresses.write(boundAddress(fd));
    large.prepare(0, 2_000);
    expect(large.send(fd, 0, 1)).toBe(1);
    const small = new DatagramBatch({ datagramsMax: 1, datagramBytesMax: 100 });
    expect([small.receive(fd), small.length(0), small.isCut(0)]).toEqual([1, 100, true]);
    closeDescriptor(fd);
  });

  test("are cut from one buffer by the kernel", () => {
    const fd = bindUdp({ ip: loopback, port: 0 });
    const one = new DatagramBatch({ datagramsMax: 1, datagramBytesMax: 4_000 });
    one.addresses.write(boundAddress(fd));
    one.prepare(0, 2_500, 1_000);
    expect(one.send(fd, 0, 1)).toBe(1);
    const many = new DatagramBatch({ datagramsMax: 8, datagramBytesMax: 1_500 });
    expect(many.receive(fd)).toBe(3);
    expect([0, 1, 2].map((entry) => many.length(entry))).toEqual([1_000, 1_000, 500]);
    closeDescriptor(fd);
  });

  test("to a closed port are answered with an error, if the socket is connected", () => {
    const peer = bindUdp({ ip: loopback, port: 0 });
    const fd = bindUdp({ ip: loopback, port: 0 });
    const address = boundAddress(peer);
    closeDescriptor(peer);
    expect(connectUdp(fd, address)).toBe(0);
    const batch = new DatagramBatch({ datagramsMax: 1, datagramBytesMax: 16 });
    batch.addresses.write(address);
    batch.prepare(0, 1);
    expect(batch.send(fd, 0, 1)).toBe(1);
    expect(batch.receive(fd)).toBe(-errno.ECONNREFUSED);
    closeDescriptor(fd);
  });
});
