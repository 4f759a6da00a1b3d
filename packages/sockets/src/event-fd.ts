import { closeDescriptor, openedOrThrow } from "./descriptors.ts";
import { errno, succeeded } from "./errno.ts";
import { libc } from "./libc.ts";
import { NativeMemory } from "./native-memory.ts";
import { closeOnExec, nonBlocking } from "./socket-flags.ts";

const counterBytes = 8;

/** Creates an eventfd(2), by which a thread wakes another one that waits in epoll_wait(2). */
export function createEventFd(): number {
  return openedOrThrow("eventfd", libc.eventfd(0, nonBlocking | closeOnExec));
}

/**
 * One thread's access to an eventfd. The descriptor is made by `createEventFd` and may be used by
 * all threads of the process; the thread that owns it closes it.
 */
export class EventFd {
  readonly fd: number;
  readonly #counter = new NativeMemory(counterBytes);

  constructor(fd: number) {
    this.fd = fd;
  }

  /** Makes the descriptor readable. EAGAIN means that it is readable already. */
  signal(): void {
    this.#counter.setUint64(0, 1);
    if (libc.write(this.fd, this.#counter.address, counterBytes) >= 0) return;
    const code = libc.errno();
    if (code === errno.EINTR) this.signal();
    else if (code !== errno.EAGAIN) succeeded("write", -code);
  }

  /** Makes it unreadable again. @returns whether it was signalled since the last call */
  reset(): boolean {
    return libc.read(this.fd, this.#counter.address, counterBytes) === counterBytes;
  }

  close(): void {
    closeDescriptor(this.fd);
  }
}
