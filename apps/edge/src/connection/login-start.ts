import {
  decodeLoginStart,
  loginStartFrameBytesMax,
  loginStartPacketId,
} from "@palisade/minecraft-protocol/java/login";
import type { ConnectionState } from "./connection-state.ts";
import { askForCookie, mayBringCookie } from "./cookie-request.ts";
import { arrived, judge, judgeUnread } from "./login.ts";
import { type Malformed, type Packet, PacketPhase } from "./packet-phase.ts";

class LoginStarting extends PacketPhase {
  override took(conn: ConnectionState, frame: Packet): boolean {
    const protocol = conn.client?.protocol;
    if (frame.id !== loginStartPacketId || protocol === undefined) return conn.drop("malformed");
    const login = decodeLoginStart(conn.head, frame.bodyStart, frame.bodyEnd, protocol);
    if (!login.ok) return conn.drop("malformed");
    conn.offset = frame.bodyEnd;
    const says = { ...login, protocol, form: "modern" } as const;
    const { shield } = conn;
    if (shield === undefined || !mayBringCookie(conn, shield, protocol)) return judge(conn, says);
    return askForCookie(conn, arrived(conn, says), shield);
  }

  /**
   * No more bytes are read than any client's Login Start has. A client that announces more than the
   * owner allows is told so; the name that it has not sent decides nothing.
   */
  override tookMalformed(conn: ConnectionState, { frameBytes = 0 }: Malformed): false {
    const protocol = conn.client?.protocol;
    const max = conn.shield?.rules.mitigation.packet_bytes_max ?? Number.POSITIVE_INFINITY;
    if (protocol === undefined || frameBytes <= max) return conn.drop("malformed");
    return judgeUnread(conn, { name: "", nameValid: true, protocol, form: "modern", frameBytes });
  }
}

export const loginStarting = new LoginStarting(loginStartFrameBytesMax);
