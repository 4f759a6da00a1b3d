import { closeSync, openSync } from "node:fs";
import { join } from "node:path";

/** Where relay processes are found, below PALISADE_HOME. */
export function relayFolder(home: string): string {
  return join(home, "run", "relays");
}

export const socketSuffix = ".sock";

/** Of the socket of a relay process. */
export function socketName(pid: number): string {
  return `${pid}${socketSuffix}`;
}

/** Of a socket's address in the kernel, unix(7), with the zero at its end. */
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
