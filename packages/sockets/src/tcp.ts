import { closeDescriptor, opened, openedOrThrow } from "./descriptors.ts";
import { errno, succeeded } from "./errno.ts";
import { libc } from "./libc.ts";
import { NativeMemory } from "./native-memory.ts";
import { SocketAddresses, type InternetAddress } from "./socket-address.ts";
import {
  closeOnExec,
  families,
  familyOf,
  moreFollows,
  nonBlocking,
  withoutSignal,
} from "./socket-flags.ts";

const stream = 1;

/** Levels and names of socket options (socket(7), tcp(7), ipv6(7)), each with an int as its value. */
export const socketOptions = {
  reuseAddress: [1, 2],
  reusePort: [1, 15],
  error: [1, 4],
  sendBuffer: [1, 7],
  receiveBuffer: [1, 8],
  keepAlive: [1, 9],
  acceptsConnections: [1, 30],
  noDelay: [6, 1],
  keepAliveIdleSeconds: [6, 4],
  keepAliveIntervalSeconds: [6, 5],
  keepAliveProbes: [6, 6],
  deferAcceptSeconds: [6, 9],
  quickAck: [6, 12],
  userTimeoutMs: [6, 18],
  ipv6Only: [41, 26],
} as const;

export type SocketOption = keyof typeof socketOptions;

/** Ends of a connection for `shutDown`, as shutdown(2) numbers them. */
export const directions = { receive: 0, send: 1, both: 2 } as const;

const lingerLevel = 1;
const lingerName = 13;
const scratch = new NativeMemory(16);

/** @throws SystemCallError for an option that the socket does not have */
export function setOption(fd: number, option: SocketOption, value: number): void {
  const [level, name] = socketOptions[option];
  scratch.view.setInt32(0, value, true);
  if (libc.setsockopt(fd, level, name, scratch.address, 4) < 0) {
    succeeded("setsockopt", -libc.errno());
  }
}

/** @throws SystemCallError */
export function getOption(fd: number, option: SocketOption): number {
  const [level, name] = socketOptions[option];
  scratch.view.setUint32(8, 4, true);
  if (libc.getsockopt(fd, level, name, scratch.address, scratch.address + 8) < 0) {
    succeeded("getsockopt", -libc.errno());
  }
  return scratch.view.getInt32(0, true);
}

/** The next `closeDescriptor` sends RST instead of FIN (SO_LINGER with a time of 0, socket(7)). */
export function resetOnClose(fd: number): void {
  scratch.view.setInt32(0, 1, true);
  scratch.view.setInt32(4, 0, true);
  libc.setsockopt(fd, lingerLevel, lingerName, scratch.address, 8);
}

export interface ListenOptions extends InternetAddress {
  /** Connections that wait to be accepted; the kernel's somaxconn caps it. */
  readonly backlog: number;
  /** Several sockets may listen on the port, and the kernel spreads connections over them. */
  readonly reusePort?: boolean;
  /** Serve IPv4 by the same IPv6 socket. */
  readonly dualStack?: boolean;
}

/**
 * A listening socket that does not block.
 *
 * @throws SystemCallError `EADDRINUSE`, `EADDRNOTAVAIL`, `EACCES`, `EMFILE`
 */
export function listenTcp(options: ListenOptions): number {
  const fd = openStream(options.ip);
  try {
    setOption(fd, "reuseAddress", 1);
    if (options.reusePort === true) setOption(fd, "reusePort", 1);
    if (familyOf(options.ip) === families.ipv6)
      setOption(fd, "ipv6Only", options.dualStack === true ? 0 : 1);
    const length = local.write(options);
    if (libc.bind(fd, local.address(), length) < 0) succeeded("bind", -libc.errno());
    if (libc.listen(fd, options.backlog) < 0) succeeded("listen", -libc.errno());
    return fd;
  } catch (error) {
    closeDescriptor(fd);
    throw error;
  }
}

const local = new SocketAddresses();

function openStream(ip: string): number {
  const type = stream | nonBlocking | closeOnExec;
  return openedOrThrow("socket", libc.socket(familyOf(ip), type, 0));
}

/** Whether this descriptor is a listening socket (SO_ACCEPTCONN, socket(7)). */
export function isListening(fd: number): boolean {
  try {
    return getOption(fd, "acceptsConnections") !== 0;
  } catch {
    return false;
  }
}

/** The address that a socket is bound to. @throws SystemCallError */
export function boundAddress(fd: number): InternetAddress {
  if (libc.getsockname(fd, local.address(), local.lengthAddress()) < 0) {
    succeeded("getsockname", -libc.errno());
  }
  return local.read();
}

/** The address of the peer that a socket is connected with (getpeername(2)); undefined without one. */
export function peerAddress(fd: number): InternetAddress | undefined {
  const result = libc.getpeername(fd, local.address(), local.lengthAddress());
  return result < 0 ? undefined : local.read();
}

/**
 * accept4(2): the next connection, which does not block.
 *
 * @param peer takes the address of the peer
 * @returns its descriptor, or a negated error number. EAGAIN: none waits. ECONNABORTED and other
 *   errors of the network: that connection is gone, the next one may be there. EMFILE and ENFILE:
 *   no descriptor is free, and the connection still waits.
 */
export function acceptTcp(listener: number, peer: SocketAddresses): number {
  const fd = libc.accept4(
    listener,
    peer.address(),
    peer.lengthAddress(),
    nonBlocking | closeOnExec,
  );
  return opened("accept4", fd < 0 ? -libc.errno() : fd);
}

export interface ConnectOptions {
  /** A local address, e.g. for a machine with several. */
  readonly from?: InternetAddress;
  /**
   * The caller sends bytes once it is connected: the kernel keeps the last packet of the handshake
   * back for them (TCP_QUICKACK, tcp(7)), for 0.2 s at most. Until then the peer does not accept it.
   */
  readonly sendsFirst?: boolean;
}

/**
 * Begins to connect. The descriptor becomes writable when that has ended, and `connectResult` tells
 * how.
 *
 * @returns the descriptor, or a negated error number: EMFILE, ENFILE, ENOBUFS, EADDRNOTAVAIL,
 *   ENETUNREACH, ECONNREFUSED on loopback
 */
export function connectTcp(to: InternetAddress, options: ConnectOptions = {}): number {
  const { from, sendsFirst = false } = options;
  const fd = libc.socket(familyOf(to.ip), stream | nonBlocking | closeOnExec, 0);
  if (fd < 0) return -libc.errno();
  opened("socket", fd);
  if (sendsFirst) delayAck(fd);
  const isBound = from === undefined || libc.bind(fd, local.address(), local.write(from)) === 0;
  if (isBound && libc.connect(fd, local.address(), local.write(to)) === 0) return fd;
  const code = libc.errno();
  if (isBound && code === errno.EINPROGRESS) return fd;
  closeDescriptor(fd);
  return -code;
}

/** It only saves a packet: a kernel that does not know it connects as well. */
function delayAck(fd: number): void {
  const [level, name] = socketOptions.quickAck;
  scratch.view.setInt32(0, 0, true);
  libc.setsockopt(fd, level, name, scratch.address, 4);
}

/**
 * Asks without an event how a connection stands that `connectTcp` has begun; within one machine it has
 * mostly ended by then. An error is told once, here or by `connectResult`.
 *
 * @returns 0 if it stands, -EALREADY while it is under way, else another negated error number
 */
export function connectAgain(fd: number, to: InternetAddress): number {
  const length = local.write(to);
  return libc.connect(fd, local.address(), length) === 0 ? 0 : -libc.errno();
}

/** @returns 0 if the connection stands, else a negated error number, e.g. of ECONNREFUSED */
export function connectResult(fd: number): number {
  return 0 - getOption(fd, "error");
}

/**
 * recv(2) into native memory.
 *
 * @returns the bytes, 0 at the end of the peer's direction, or a negated error number. EAGAIN: none
 *   are there. ECONNRESET, ETIMEDOUT, EHOSTUNREACH: the connection is gone. EINTR is not returned.
 */
export function receive(fd: number, address: number, length: number): number {
  const count = libc.recv(fd, address, length, 0);
  if (count >= 0) return count;
  const code = libc.errno();
  return code === errno.EINTR ? receive(fd, address, length) : -code;
}

/**
 * send(2) from native memory, without SIGPIPE.
 *
 * @returns the bytes that the kernel took, fewer than `length` if its buffer is full, or a negated
 *   error number. EAGAIN: it takes none now. EPIPE, ECONNRESET: the connection is gone. EINTR is not
 *   returned.
 */
export function send(fd: number, address: number, length: number): number {
  return sendWith(withoutSignal, fd, address, length);
}

/**
 * As `send`, for the last bytes before `shutDown` or `closeDescriptor`, which has to follow at once:
 * the kernel holds them back until then, and sends them and the end as one packet.
 */
export function sendLast(fd: number, address: number, length: number): number {
  return sendWith(withoutSignal | moreFollows, fd, address, length);
}

function sendWith(flags: number, fd: number, address: number, length: number): number {
  const count = libc.send(fd, address, length, flags);
  if (count >= 0) return count;
  const code = libc.errno();
  return code === errno.EINTR ? sendWith(flags, fd, address, length) : -code;
}

/** shutdown(2). A connection that is gone has nothing to shut down: that is no failure. */
export function shutDown(fd: number, direction: keyof typeof directions): void {
  libc.shutdown(fd, directions[direction]);
}
