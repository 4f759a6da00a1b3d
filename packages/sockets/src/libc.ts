import type { LibraryHandle } from "koffi";
import { koffi, UnsupportedPlatformError } from "./native-code.ts";

const { errno, load, view } = koffi;

/**
 * The C functions of this package. Pointers are addresses in memory that does not move
 * (`NativeMemory`), so that a part of a buffer needs no object of its own. Every function returns
 * what the C function returns; the error number of a failed call is read from `errno` directly
 * after it.
 */
export interface Libc {
  socket(domain: number, type: number, protocol: number): number;
  socketpair(domain: number, type: number, protocol: number, pair: number): number;
  setsockopt(fd: number, level: number, name: number, value: number, length: number): number;
  getsockopt(fd: number, level: number, name: number, value: number, length: number): number;
  bind(fd: number, address: number, length: number): number;
  connect(fd: number, address: number, length: number): number;
  listen(fd: number, backlog: number): number;
  accept4(fd: number, address: number, length: number, flags: number): number;
  getsockname(fd: number, address: number, length: number): number;
  getpeername(fd: number, address: number, length: number): number;
  shutdown(fd: number, how: number): number;
  recv(fd: number, buffer: number, length: number, flags: number): number;
  send(fd: number, buffer: number, length: number, flags: number): number;
  recvmsg(fd: number, message: number, flags: number): number;
  sendmsg(fd: number, message: number, flags: number): number;
  recvmmsg(fd: number, messages: number, count: number, flags: number, timeout: number): number;
  sendmmsg(fd: number, messages: number, count: number, flags: number): number;
  splice(
    from: number,
    fromOffset: number,
    to: number,
    toOffset: number,
    length: number,
    flags: number,
  ): number;
  pipe2(pair: number, flags: number): number;
  fcntl(fd: number, command: number, value: number): number;
  close(fd: number): number;
  read(fd: number, buffer: number, length: number): number;
  write(fd: number, buffer: number, length: number): number;
  eventfd(initial: number, flags: number): number;
  epoll_create1(flags: number): number;
  epoll_ctl(epoll: number, operation: number, fd: number, event: number): number;
  epoll_wait(epoll: number, events: number, eventsMax: number, timeoutMs: number): number;
  mmap(
    address: number,
    length: number,
    protection: number,
    flags: number,
    fd: number,
    offset: number,
  ): number;
  munmap(address: number, length: number): number;
  io_uring_setup(entries: number, parameters: number): number;
  /** Submits requests, and waits for none. */
  io_uring_enter(ring: number, requests: number): number;
  /** syscall(2), for calls without a function of their own. */
  syscall(number: number, first: number, second: number, third: number, fourth: number): number;
  /** The error number of the last failed call of this thread. */
  errno(): number;
}

/** Calls without a function in the C library, with the same numbers on every processor. */
const callNumbers = { ioUringSetup: 425, ioUringEnter: 426 } as const;

function loadLibc(): Libc {
  let library: LibraryHandle;
  try {
    // The program has the C library loaded already, be it glibc or musl.
    library = load(null);
  } catch (error) {
    throw new UnsupportedPlatformError("The edge could not load the C library through koffi", {
      cause: error,
    });
  }
  const call = (definition: string): ((...values: number[]) => number) => library.func(definition);
  const setUpRing = call("int64 syscall(int64, uint32, int64)");
  const enterRing = call("int64 syscall(int64, int, uint32, uint32, uint32, int64, uint64)");
  return {
    socket: call("int socket(int, int, int)"),
    socketpair: call("int socketpair(int, int, int, int64)"),
    setsockopt: call("int setsockopt(int, int, int, int64, uint32)"),
    getsockopt: call("int getsockopt(int, int, int, int64, int64)"),
    bind: call("int bind(int, int64, uint32)"),
    connect: call("int connect(int, int64, uint32)"),
    listen: call("int listen(int, int)"),
    accept4: call("int accept4(int, int64, int64, int)"),
    getsockname: call("int getsockname(int, int64, int64)"),
    getpeername: call("int getpeername(int, int64, int64)"),
    shutdown: call("int shutdown(int, int)"),
    recv: call("int recv(int, int64, uint32, int)"),
    send: call("int send(int, int64, uint32, int)"),
    recvmsg: call("int recvmsg(int, int64, int)"),
    sendmsg: call("int sendmsg(int, int64, int)"),
    recvmmsg: call("int recvmmsg(int, int64, uint32, int, int64)"),
    sendmmsg: call("int sendmmsg(int, int64, uint32, int)"),
    splice: call("int splice(int, int64, int, int64, uint64, uint32)"),
    pipe2: call("int pipe2(int64, int)"),
    fcntl: call("int fcntl(int, int, int)"),
    close: call("int close(int)"),
    read: call("int read(int, int64, uint64)"),
    write: call("int write(int, int64, uint64)"),
    eventfd: call("int eventfd(uint32, int)"),
    epoll_create1: call("int epoll_create1(int)"),
    epoll_ctl: call("int epoll_ctl(int, int, int, int64)"),
    epoll_wait: call("int epoll_wait(int, int64, int, int)"),
    mmap: call("int64 mmap(int64, uint64, int, int, int, int64)"),
    munmap: call("int munmap(int64, uint64)"),
    io_uring_setup: (...values) => setUpRing(callNumbers.ioUringSetup, ...values),
    io_uring_enter: (ring, requests) =>
      enterRing(callNumbers.ioUringEnter, ring, requests, 0, 0, 0, 0),
    syscall: call("int64 syscall(int64, int64, int64, int64, int64)"),
    errno: () => errno(),
  };
}

const real = loadLibc();

/** The functions that every module of this package calls. */
export let libc: Libc = real;

/**
 * Puts `wrap(the real functions)` in place of the functions, for tests that inject faults.
 *
 * @returns a function that puts the real ones back
 */
export function replaceLibc(wrap: (real: Libc) => Libc): () => void {
  libc = wrap(real);
  return () => {
    libc = real;
  };
}

/** The memory behind an address. */
export function viewMemory(address: number, length: number): ArrayBuffer {
  return view(BigInt(address), length);
}
