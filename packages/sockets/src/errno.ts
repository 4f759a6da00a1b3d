/** Error numbers of Linux on x64 and arm64 (errno(3)), as far as this package names them. */
export const errno = {
  EPERM: 1,
  ENOENT: 2,
  EINTR: 4,
  EBADF: 9,
  EAGAIN: 11,
  ENOMEM: 12,
  EACCES: 13,
  EINVAL: 22,
  ENFILE: 23,
  EMFILE: 24,
  EPIPE: 32,
  EMSGSIZE: 90,
  EPROTONOSUPPORT: 93,
  EADDRINUSE: 98,
  EADDRNOTAVAIL: 99,
  ENETDOWN: 100,
  ENETUNREACH: 101,
  ECONNABORTED: 103,
  ECONNRESET: 104,
  ENOBUFS: 105,
  ENOTCONN: 107,
  ETIMEDOUT: 110,
  ECONNREFUSED: 111,
  EHOSTUNREACH: 113,
  EALREADY: 114,
  EINPROGRESS: 115,
} as const;

const names = new Map<number, string>(Object.entries(errno).map(([name, code]) => [code, name]));

/** `ECONNRESET`, or `errno 42` for a number without a name here. */
export function errnoName(code: number): string {
  return names.get(code) ?? `errno ${code}`;
}

/** A system call failed in a way that its caller cannot continue from. */
export class SystemCallError extends Error {
  override readonly name = "SystemCallError";
  /** As in Node's own system errors, e.g. `EADDRINUSE`. */
  readonly code: string;
  readonly syscall: string;
  readonly errno: number;

  /** @param failure the negated error number, as the functions of this package return it */
  constructor(syscall: string, failure: number) {
    const code = errnoName(-failure);
    super(`${syscall}: ${code}`);
    this.code = code;
    this.syscall = syscall;
    this.errno = -failure;
  }
}

/** @returns `result` where it is no failure. @throws SystemCallError */
export function succeeded(syscall: string, result: number): number {
  if (result < 0) throw new SystemCallError(syscall, result);
  return result;
}
