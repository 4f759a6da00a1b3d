import { closeDescriptor, opened } from "./descriptors.ts";
import { errno, succeeded } from "./errno.ts";
import { libc } from "./libc.ts";
import { NativeMemory } from "./native-memory.ts";
import { closeOnExec, nonBlocking } from "./socket-flags.ts";

const setPipeSize = 1031;
/** SPLICE_F_MOVE and SPLICE_F_NONBLOCK. */
const spliceFlags = 3;

const pair = new NativeMemory(8);

/**
 * A pipe through which splice(2) moves bytes from one socket to another without copying them into
 * the process.
 */
export class SplicePipe {
  readonly #readEnd: number;
  readonly #writeEnd: number;
  #held = 0;

  /** @param bytes wanted room; the kernel rounds it and may refuse more than a limit. @throws SystemCallError `EMFILE`, `ENFILE` */
  constructor(bytes: number) {
    if (libc.pipe2(pair.address, nonBlocking | closeOnExec) < 0) {
      succeeded("pipe2", -libc.errno());
    }
    this.#readEnd = opened("pipe2", pair.view.getInt32(0, true));
    this.#writeEnd = opened("pipe2", pair.view.getInt32(4, true));
    // A refusal leaves the default of 64 KiB.
    libc.fcntl(this.#writeEnd, setPipeSize, bytes);
  }

  /** Bytes in the pipe: taken from one socket and not yet given to the other. */
  get held(): number {
    return this.#held;
  }

  /**
   * Moves bytes of a socket into the pipe.
   *
   * @returns their number, 0 at the end of the peer's direction, or a negated error number. EAGAIN:
   *   no bytes are there, or the pipe is full.
   */
  fill(socket: number, length: number): number {
    const count = splice(socket, this.#writeEnd, length);
    if (count > 0) this.#held += count;
    return count;
  }

  /** Moves the pipe's bytes into a socket. @returns their number, or a negated error number */
  drain(socket: number): number {
    if (this.#held === 0) return 0;
    const count = splice(this.#readEnd, socket, this.#held);
    if (count > 0) this.#held -= count;
    return count;
  }

  close(): void {
    closeDescriptor(this.#readEnd);
    closeDescriptor(this.#writeEnd);
  }
}

function splice(from: number, to: number, length: number): number {
  const count = libc.splice(from, 0, to, 0, length, spliceFlags);
  if (count >= 0) return count;
  const code = libc.errno();
  return code === errno.EINTR ? splice(from, to, length) : -code;
}
