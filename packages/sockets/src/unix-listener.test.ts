import { join } from "node:path";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { expect, onTestFinished, test } from "vitest";
import { closeDescriptor, duplicate, trackDescriptors } from "./descriptors.ts";
import { errno } from "./errno.ts";
import { boundAddress, isListening, listenTcp } from "./tcp.ts";
import { UnixChannel } from "./unix-channel.ts";
import { acceptUnix, connectUnix, listenUnix, peerPid } from "./unix-listener.ts";

async function pathOfTest(): Promise<string> {
  const folder = await createTemporaryFolder("unix");
  onTestFinished(folder.remove);
  return join(folder.path, "test.sock");
}

test("a listening TCP socket goes to another process by a path and is the same socket there", async () => {
  const path = await pathOfTest();
  const tracking = trackDescriptors();
  const listener = listenUnix(path);
  expect(acceptUnix(listener)).toBe(-errno.EAGAIN);
  const client = new UnixChannel(connectUnix(path), 64);
  const server = new UnixChannel(acceptUnix(listener), 64);
  expect(peerPid(client.fd)).toBe(process.pid);
  const socket = listenTcp({ ip: "127.0.0.1", port: 0, backlog: 8 });
  expect(server.send(Buffer.from("here"), [socket])).toBe(0);
  const message = client.receive();
  if (message === null || typeof message === "number") throw new Error("no message");
  const [received = -1] = message.descriptors;
  expect(received).not.toBe(socket);
  expect(isListening(received)).toBe(true);
  expect(boundAddress(received)).toEqual(boundAddress(socket));
  const other = duplicate(received);
  expect(boundAddress(other)).toEqual(boundAddress(socket));
  for (const fd of [socket, received, other, listener]) closeDescriptor(fd);
  client.close();
  server.close();
  tracking.stop();
});

test("a path where no process listens, and one that is too long, are told apart from a connection", async () => {
  const path = await pathOfTest();
  const tracking = trackDescriptors();
  expect(connectUnix(path)).toBe(-errno.ENOENT);
  closeDescriptor(listenUnix(path));
  expect(connectUnix(path)).toBe(-errno.ECONNREFUSED);
  expect(() => listenUnix(path)).toThrow("EADDRINUSE");
  expect(() => listenUnix(`/${"a".repeat(200)}`)).toThrow(RangeError);
  tracking.stop();
});
