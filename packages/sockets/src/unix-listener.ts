import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { closeDescriptor, opened, openedOrThrow } from "./descriptors.ts";
import { succeeded } from "./errno.ts";
import { libc } from "./libc.ts";
import { NativeMemory } from "./native-memory.ts";
import { closeOnExec, families, nonBlocking } from "./socket-flags.ts";

const sequencedPackets = 5;
const pathOffset = 2;
/** Bytes of `sun_path` in struct sockaddr_un (unix(7)), with the zero at its end. */
const pathBytesMax = 108;
/** Processes that wait to be accepted. */
const backlog = 16;

const address = new NativeMemory(pathOffset + pathBytesMax);

/** @returns the length of the address. @throws RangeError for a path that is too long */
function writePath(path: string): number {
  const bytes = Buffer.byteLength(path);
  if (bytes >= pathBytesMax) throw new RangeError(`${path} is too long for a socket's address`);
  address.bytes.fill(0);
  address.view.setUint16(0, families.unix, true);
  address.bytes.write(path, pathOffset);
  return pathOffset + bytes + 1;
}

/**
 * Calls with a path by which a socket can be bound or connected to right away, however long the
 * folder's is: by the folder's descriptor where the path is longer than an address.
 */
export function withSocketPath<T>(folder: string, name: string, use: (path: string) => T): T {
  const path = join(folder, name);
  if (Buffer.byteLength(path) < pathBytesMax - 1) return use(path);
  const descriptor = openSync(folder, "r");
  try {
    return use(`/proc/self/fd/${descriptor}/${name}`);
  } finally {
    closeSync(descriptor);
  }
}

function openSocket(): number {
  const type = sequencedPackets | nonBlocking | closeOnExec;
  return openedOrThrow("socket", libc.socket(families.unix, type, 0));
}

/**
 * A socket in the file system by which other processes get a `UnixChannel` to this one.
 *
 * @throws SystemCallError `EADDRINUSE` if the path exists, also if no process listens there
 */
export function listenUnix(path: string): number {
  const fd = openSocket();
  try {
    if (libc.bind(fd, address.address, writePath(path)) < 0) succeeded("bind", -libc.errno());
    if (libc.listen(fd, backlog) < 0) succeeded("listen", -libc.errno());
    return fd;
  } catch (error) {
    closeDescriptor(fd);
    throw error;
  }
}

/** accept4(2). @returns the end of a channel, or a negated error number; EAGAIN: none waits */
export function acceptUnix(listener: number): number {
  const fd = libc.accept4(listener, 0, 0, nonBlocking | closeOnExec);
  return opened("accept4", fd < 0 ? -libc.errno() : fd);
}

/**
 * @returns the end of a channel, or a negated error number. ENOENT, ECONNREFUSED: no process listens
 *   there. EAGAIN: it is behind.
 */
export function connectUnix(path: string): number {
  const length = writePath(path);
  const fd = openSocket();
  if (libc.connect(fd, address.address, length) === 0) return fd;
  const code = libc.errno();
  closeDescriptor(fd);
  return -code;
}

const socketLevel = 1;
const peerCredentials = 17;
const credentials = new NativeMemory(16);

/** Process id of the other end when it began to listen (SO_PEERCRED, unix(7)). */
export function peerPid(fd: number): number {
  credentials.view.setUint32(12, 12, true);
  const { address: at } = credentials;
  if (libc.getsockopt(fd, socketLevel, peerCredentials, at, at + 12) < 0) {
    succeeded("getsockopt", -libc.errno());
  }
  return credentials.view.getInt32(0, true);
}
