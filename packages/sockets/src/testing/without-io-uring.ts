import type { Libc } from "../libc.ts";

/** A kernel without io_uring, for `replaceLibc`: no ring has so few entries. */
export function withoutIoUring(real: Libc): Libc {
  return {
    ...real,
    io_uring_setup: (_entries, parameters) => real.io_uring_setup(0, parameters),
  };
}
