import { closeSync, openSync } from "node:fs";
import { join } from "node:path";

/** Folder of the relay processes' sockets, below PALISADE_HOME. */
export function relayFolder(home: string): string {
  return join(home, "run", "relays");
}

export const socketSuffix = ".sock";

/** Name of a relay process's socket. */
export function socketName(pid: number): string {
  return `${pid}${socketSuffix}`;
}

/** Length of a socket's address in the kernel, unix(7), including the zero at its end. */
const addressBytesMax = 107;

/**
 * Calls with a path by which the socket can be bound or connected to right away, however long the
 * folder's is: by the folder's descriptor where the path is longer than an address.
 */
export function withSocketPath<T>(folder: string, name: string, use: (path: string) => T): T {
  const path = join(folder, name);
  if (Buffer.byteLength(path) < addressBytesMax) return use(path);
  const descriptor = openSync(folder, "r");
  try {
    // Node binds and connects before it returns.
    return use(`/proc/self/fd/${descriptor}/${name}`);
  } finally {
    closeSync(descriptor);
  }
}
