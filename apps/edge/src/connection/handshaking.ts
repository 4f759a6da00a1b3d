import {
  handshakeFrameBytesMax,
  handshakePacketId,
} from "@palisade/minecraft-protocol/java/handshake";
import { KnownHandshakes } from "@palisade/minecraft-protocol/java/known-handshakes";
import { atLeast } from "@palisade/minecraft-protocol/java/versions";
import type { ConnectionState } from "./connection-state.ts";
import { loginStarting } from "./login-start.ts";
import { type Packet, PacketPhase } from "./packet-phase.ts";
import { asking } from "./status-exchange.ts";

/** Shared by all connections of this thread. */
const known = new KnownHandshakes();

class Handshaking extends PacketPhase {
  override took(conn: ConnectionState, frame: Packet): boolean {
    if (frame.id !== handshakePacketId) return conn.drop("malformed");
    const result = known.decode(conn.head, frame.bodyStart, frame.bodyEnd);
    if (!result.ok) return conn.drop("malformed");
    const { handshake } = result;
    if (handshake.intent === "transfer" && !atLeast(handshake.protocol, "1.20.5")) {
      return conn.drop("malformed");
    }
    conn.deps.outcomes.countHandshake(handshake.intent);
    conn.client = handshake;
    if (!conn.comesTo(conn.deps.shields.route(handshake.host))) return false;
    conn.offset = conn.handshakeEnd = frame.bodyEnd;
    conn.phase = handshake.intent === "status" ? asking : loginStarting;
    return true;
  }
}

export const handshaking = new Handshaking(handshakeFrameBytesMax);
