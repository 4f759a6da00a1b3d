import type { Connection } from "#src/connection/tcp-connection.ts";
import { Conversation } from "./conversation.ts";
import { opening } from "./opening.ts";
import type { SessionDeps } from "./session-deps.ts";

/**
 * One Java connection from accept to its verdict: a status exchange, a kick, or
 * a player handed to the relay. Whatever the bytes are, it ends by a deadline,
 * with one outcome counted, and nothing it does throws.
 *
 * Its phases: `opening` (which protocol?), handshake, then `status-exchange` or `login-start`, of
 * those sent here from elsewhere the `cookie-question`, of those let in `verifying` or `dialling`,
 * and `measured-login` where the owner limits packets.
 */
export class Session extends Conversation {
  constructor(socket: Connection, sourceKey: string, connection: number, deps: SessionDeps) {
    super(socket, sourceKey, connection, deps, opening);
    socket.resume();
  }
}
