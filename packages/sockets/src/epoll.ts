import { closeDescriptor, openedOrThrow } from "./descriptors.ts";
import { errno, succeeded } from "./errno.ts";
import { libc } from "./libc.ts";
import { NativeMemory } from "./native-memory.ts";
import { closeOnExec } from "./socket-flags.ts";

/** Event bits of epoll_ctl(2). */
export const epollEvents = {
  readable: 0x1,
  writable: 0x4,
  error: 0x8,
  hangUp: 0x10,
  /** The peer has ended its direction. */
  peerEnded: 0x2000,
  /** Events are reported once, errors too, until the descriptor's events are changed again. */
  oneShot: 0x4000_0000,
  /** Each event is reported once: when bytes arrive, an end or an error, and with each change. */
  edgeTriggered: 0x8000_0000,
  /** One of the processes or threads that wait is woken, not all. */
  exclusive: 0x1000_0000,
} as const;

const operations = { add: 1, remove: 2, modify: 3 } as const;

/** struct epoll_event is packed on x64 only. */
export const epollEventLayout =
  process.arch === "x64" ? { bytes: 12, data: 4 } : { bytes: 16, data: 8 };

/**
 * epoll(7), level-triggered. Each descriptor is registered with a slot and a generation, and an
 * event names both: after a close the slot gets another generation, and an event that was already
 * under way is recognised as stale.
 */
export class Epoll {
  readonly #fd: number;
  readonly #eventsMax: number;
  readonly #events: NativeMemory;
  readonly #change = new NativeMemory(epollEventLayout.bytes);

  /** @param eventsMax events of one wait. @throws SystemCallError `EMFILE`, `ENFILE`, `ENOMEM` */
  constructor(eventsMax: number) {
    this.#fd = openedOrThrow("epoll_create1", libc.epoll_create1(closeOnExec));
    this.#eventsMax = eventsMax;
    this.#events = new NativeMemory(eventsMax * epollEventLayout.bytes);
  }

  /** @throws SystemCallError `ENOMEM`, `ENOSPC` */
  add(fd: number, events: number, slot: number, generation: number): void {
    this.#control(operations.add, fd, events, slot, generation);
  }

  /** @throws SystemCallError `ENOMEM` */
  modify(fd: number, events: number, slot: number, generation: number): void {
    this.#control(operations.modify, fd, events, slot, generation);
  }

  /** A closed descriptor leaves by itself if no duplicate of it is open. */
  remove(fd: number): void {
    this.#control(operations.remove, fd, 0, 0, 0);
  }

  /**
   * Blocks the thread.
   *
   * @param timeoutMs -1 waits without an end
   * @returns the number of events; 0 after the time-out or a signal
   * @throws SystemCallError
   */
  wait(timeoutMs: number): number {
    const count = libc.epoll_wait(this.#fd, this.#events.address, this.#eventsMax, timeoutMs);
    if (count >= 0) return count;
    const code = libc.errno();
    return code === errno.EINTR ? 0 : succeeded("epoll_wait", -code);
  }

  /** @param index below the result of `wait` */
  events(index: number): number {
    return this.#events.view.getUint32(index * epollEventLayout.bytes, true);
  }

  slot(index: number): number {
    return this.#events.view.getUint32(
      index * epollEventLayout.bytes + epollEventLayout.data,
      true,
    );
  }

  generation(index: number): number {
    const offset = index * epollEventLayout.bytes + epollEventLayout.data + 4;
    return this.#events.view.getUint32(offset, true);
  }

  close(): void {
    closeDescriptor(this.#fd);
  }

  #control(operation: number, fd: number, events: number, slot: number, generation: number): void {
    const { view, address } = this.#change;
    view.setUint32(0, events, true);
    view.setUint32(epollEventLayout.data, slot, true);
    view.setUint32(epollEventLayout.data + 4, generation, true);
    if (libc.epoll_ctl(this.#fd, operation, fd, address) < 0) {
      succeeded("epoll_ctl", -libc.errno());
    }
  }
}
