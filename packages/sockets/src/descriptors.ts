import { succeeded } from "./errno.ts";
import { libc } from "./libc.ts";

/**
 * A file descriptor is a bare number: a second `close` of it would close another connection that got
 * the number since. So each has one owner, and is opened and closed by way of this file, which can
 * keep a list of the open ones.
 */
let open: Map<number, string> | null = null;

/** A descriptor was closed twice, or by code that does not own it. */
export class DescriptorError extends Error {
  override readonly name = "DescriptorError";
}

/** The descriptors that were opened since the tracking began and are not closed. */
export interface DescriptorTracking {
  /**
   * Ends the tracking.
   *
   * @throws DescriptorError if descriptors are still open, with the calls that opened them
   */
  stop(): void;
}

/** For tests: from now on a second close throws, and every open descriptor is on a list. */
export function trackDescriptors(): DescriptorTracking {
  const list = new Map<number, string>();
  open = list;
  return {
    stop() {
      open = null;
      const left = [...list].map(([fd, syscall]) => `${fd} of ${syscall}`);
      if (left.length > 0) throw new DescriptorError(`still open: ${left.join(", ")}`);
    },
  };
}

/** A bit for each descriptor of this thread that is open, for the thread that outlives it. */
let held: Uint8Array | null = null;

/** @param descriptorsMax highest number of a descriptor (RLIMIT_NOFILE) */
export function allocateHeld(descriptorsMax: number): SharedArrayBuffer {
  return new SharedArrayBuffer(Math.ceil((descriptorsMax + 1) / 8));
}

/**
 * From now on this thread notes there which descriptors it holds. Unlike Node's own sockets, they
 * stay open when their thread ends.
 */
export function noteHeld(buffer: SharedArrayBuffer): void {
  held = new Uint8Array(buffer);
}

/** Closes the descriptors of a thread that has ended. */
export function closeHeld(buffer: SharedArrayBuffer): void {
  new Uint8Array(buffer).forEach((bits, index) => {
    for (let bit = 0; bit < 8; bit += 1) {
      if ((bits & (1 << bit)) !== 0) libc.close(index * 8 + bit);
    }
  });
}

/** Notes a descriptor that a call returned. A negative result, a failure, is passed on as it is. */
export function opened(syscall: string, fd: number): number {
  if (open !== null && fd >= 0) {
    const before = open.get(fd);
    if (before !== undefined) {
      throw new DescriptorError(
        `${syscall} returned ${fd}, which ${before} opened: closed elsewhere`,
      );
    }
    open.set(fd, syscall);
  }
  if (held !== null && fd >= 0) held[fd >> 3] = (held[fd >> 3] ?? 0) | (1 << (fd & 7));
  return fd;
}

/** As `opened`, for a call whose failure its caller cannot continue from. @throws SystemCallError */
export function openedOrThrow(syscall: string, fd: number): number {
  return opened(syscall, fd < 0 ? succeeded(syscall, -libc.errno()) : fd);
}

/**
 * The descriptor is another thread's of this process from now on, which notes it by `opened`. It is
 * not closed with this thread any more.
 */
export function handOver(fd: number): void {
  open?.delete(fd);
  if (held !== null) held[fd >> 3] = (held[fd >> 3] ?? 0) & ~(1 << (fd & 7));
}

const duplicateCloseOnExec = 1_030;

/** Another number for the same open socket (F_DUPFD_CLOEXEC, fcntl(2)). @throws SystemCallError */
export function duplicate(fd: number): number {
  return openedOrThrow("fcntl", libc.fcntl(fd, duplicateCloseOnExec, 0));
}

/**
 * close(2). The number is free afterwards, also after EINTR and EIO: Linux releases it in any case,
 * so a close is never repeated.
 *
 * @throws DescriptorError in tests, if the descriptor is not open
 */
export function closeDescriptor(fd: number): void {
  if (open !== null && !open.delete(fd)) {
    throw new DescriptorError(`${fd} is closed, but it is not open`);
  }
  // Before the call: the thread may end between the two, and the number may be another's by then.
  if (held !== null) held[fd >> 3] = (held[fd >> 3] ?? 0) & ~(1 << (fd & 7));
  libc.close(fd);
}
