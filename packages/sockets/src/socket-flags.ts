/** Flags of socket(2), accept4(2), pipe2(2), eventfd(2) and epoll_create1(2). */
export const nonBlocking = 0o4000;
export const closeOnExec = 0o2000000;

/** MSG_NOSIGNAL of send(2): a connection that is gone is an error number, not a SIGPIPE. */
export const withoutSignal = 0x4000;

/** MSG_MORE of send(2): more follows at once, or the end. */
export const moreFollows = 0x8000;

/** Address families of socket(2). */
export const families = { unix: 1, ipv4: 2, ipv6: 10 } as const;

/** The family of a written IP address. */
export function familyOf(ip: string): number {
  return ip.includes(":") ? families.ipv6 : families.ipv4;
}
