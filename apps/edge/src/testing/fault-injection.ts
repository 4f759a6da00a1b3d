import { errno } from "@palisade/sockets/errno";
import { type Libc, replaceLibc } from "@palisade/sockets/libc";
import type { Random } from "./fuzz/random.ts";

export interface Faults {
  /** One in so many calls fails for the moment (EAGAIN, EINTR), or moves a part of its bytes only. */
  readonly passing: number;
  /** One in so many calls fails for good: the peer is gone, or memory or descriptors are used up. */
  readonly lasting?: number;
}

const passing = [errno.EAGAIN, errno.EINTR];
/** EPOLL_CTL_ADD: others need no memory. */
const addition = 1;
/** A part of a transfer ends within this many bytes. */
const partBytesMax = 40;

/**
 * Lets system calls of this thread fail at random, as a kernel may at any time.
 *
 * @returns a function that ends it, and how many calls have failed or were cut short
 */
export function injectFaults(random: Random, faults: Faults) {
  let injected = 0;
  const undo = replaceLibc((real) => {
    /** Error number of the last call, if that was made to fail. */
    let code = 0;
    const fail = (error: number): -1 => {
      injected++;
      code = error;
      return -1;
    };
    /** @param errors which the caller does not try again */
    const failsForGood = (errors: readonly number[]): -1 | undefined => {
      code = 0;
      const isDue = faults.lasting !== undefined && random.once(faults.lasting);
      return isDue ? fail(random.pick(errors)) : undefined;
    };
    /** @param errors as above, beside those of the moment */
    const fails = (errors: readonly number[]): -1 | undefined =>
      random.once(faults.passing) ? fail(random.pick(passing)) : failsForGood(errors);
    const part = (length: number): number => {
      if (!random.once(faults.passing)) return length;
      injected++;
      return 1 + random.below(Math.min(length, partBytesMax));
    };
    const broken = [errno.ECONNRESET, errno.ETIMEDOUT];
    const noRoom = [errno.EMFILE, errno.ENFILE, errno.ENOMEM];
    return {
      ...real,
      errno: () => (code === 0 ? real.errno() : code),
      recv: (fd, buffer, length, flags) =>
        fails(broken) ?? real.recv(fd, buffer, part(length), flags),
      send: (fd, buffer, length, flags) =>
        fails([errno.EPIPE, ...broken]) ?? real.send(fd, buffer, part(length), flags),
      splice: (from, fromOffset, to, toOffset, length, flags) =>
        fails(broken) ?? real.splice(from, fromOffset, to, toOffset, part(length), flags),
      accept4: (...values) => fails([errno.ECONNABORTED, ...noRoom]) ?? real.accept4(...values),
      socket: (...values) => failsForGood(noRoom) ?? real.socket(...values),
      pipe2: (...values) => failsForGood(noRoom) ?? real.pipe2(...values),
      sendmsg: (...values) => fails([errno.EPIPE]) ?? real.sendmsg(...values),
      recvmsg: (...values) => fails([errno.ECONNRESET]) ?? real.recvmsg(...values),
      epoll_ctl: (epoll, operation, ...values) =>
        (operation === addition ? failsForGood([errno.ENOMEM]) : undefined) ??
        real.epoll_ctl(epoll, operation, ...values),
      io_uring_setup: (...values) => failsForGood(noRoom) ?? real.io_uring_setup(...values),
      // A kernel without memory takes a part of the requests.
      io_uring_enter: (ring, requests) => {
        if (!random.once(faults.passing)) return real.io_uring_enter(ring, requests);
        injected++;
        return real.io_uring_enter(ring, random.below(requests + 1));
      },
      epoll_wait: (...values) => {
        code = 0;
        return random.once(faults.passing) ? fail(errno.EINTR) : real.epoll_wait(...values);
      },
    } satisfies Libc;
  });
  return { undo, injected: () => injected };
}
