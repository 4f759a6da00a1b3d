import type { Connection } from "#src/reactor/tcp-connection.ts";
import { ConnectionState } from "./connection-state.ts";
import { protocolDetection } from "./protocol-detection.ts";
import type { ConnectionDeps } from "./connection-deps.ts";

/**
 * One Java connection from accept to its verdict: a status exchange, a kick, or
 * a player handed to the relay. Whatever the bytes are, it ends by a deadline,
 * with one outcome counted, and nothing it does throws.
 *
 * Its phases: `protocol-detection`, handshake, then `status-exchange` or `login-start`, for players
 * sent here from elsewhere the `cookie-request`, for admitted ones `verifying` or `dialling`, and
 * `size-limited-login` where the owner limits packets.
 */
export class JavaConnection extends ConnectionState {
  constructor(socket: Connection, sourceKey: string, connection: number, deps: ConnectionDeps) {
    super(socket, sourceKey, connection, deps, protocolDetection);
    socket.resume();
  }
}
