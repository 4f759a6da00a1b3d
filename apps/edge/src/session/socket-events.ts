import type { Socket } from "node:net";

/** Events of a socket for its connection. */
export interface SocketListener {
  received(chunk: Buffer): void;
  ended(): void;
  closed(): void;
}

const listenerOf = Symbol("session");

interface ListenedSocket extends Socket {
  [listenerOf]?: SocketListener | undefined;
}

/**
 * Connects a socket to its connection object through functions that all sockets share, so that a
 * connection costs no closures.
 */
export function attach(socket: ListenedSocket, listener: SocketListener): void {
  socket[listenerOf] = listener;
  socket.on("data", onData);
  socket.on("end", onEnd);
  socket.on("close", onClose);
  // Stays for the socket's life: an error without a listener would end the process.
  socket.on("error", onError);
}

/** Releases the socket to its next listener; bytes that arrive in between are kept. */
export function detach(socket: ListenedSocket): void {
  socket.pause();
  socket.off("data", onData);
  socket.off("end", onEnd);
  socket.off("close", onClose);
  socket[listenerOf] = undefined;
}

function onData(this: ListenedSocket, chunk: Buffer): void {
  this[listenerOf]?.received(chunk);
}

function onEnd(this: ListenedSocket): void {
  this[listenerOf]?.ended();
}

function onClose(this: ListenedSocket): void {
  this[listenerOf]?.closed();
}

function onError(): void {
  // The 'close' event follows and is handled.
}
