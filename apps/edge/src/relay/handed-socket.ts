import { type OnReadOpts, Socket } from "node:net";

/**
 * How an open connection leaves one process and enters another. What Node has no public call for is
 * here and nowhere else; `handed-socket.test.ts` holds it to the Node in use.
 */

/** The part of libuv's handle of a connection that is used here. */
interface Handle {
  reading: boolean;
  readStop(): number;
}

interface Opened extends Socket {
  _handle: Handle | null;
}

/**
 * Stops reading a socket for good, so that whatever comes waits in the kernel for the next process.
 *
 * @returns what was read and not taken
 */
export function still(socket: Socket): Buffer {
  // The stream would start to read again in the next tick.
  socket._read = () => undefined;
  const handle = handleOf(socket);
  if (handle !== null) {
    handle.reading = false;
    handle.readStop();
  }
  socket.pause();
  // Neither has an encoding, so these are buffers.
  return (socket.read() as Buffer | null) ?? Buffer.alloc(0);
}

/**
 * The connection of a socket that has just come from another process, to be read into a buffer of
 * ours. Node takes `onread` for sockets that connect; those that were accepted take it here.
 *
 * @param came as its message brought it: nothing was read yet
 */
export function received(came: Socket, onread: OnReadOpts): Socket | undefined {
  const handle = handleOf(came);
  if (handle === null) return undefined;
  (came as Opened)._handle = null;
  handle.reading = false;
  handle.readStop();
  // Nothing is read until `resume`. Not in Node's types for such a handle, nor the last of them.
  const options: object = { handle, allowHalfOpen: true, onread, manualStart: true };
  const socket = new Socket(options);
  // An error without a listener would end the process, and all players with it; 'close' follows.
  return socket.on("error", () => undefined);
}

function handleOf(socket: Socket): Handle | null {
  // Not in Node's types; a socket that is closed has none.
  return (socket as Opened)._handle ?? null;
}
