import type { Signals } from "@palisade/login-rules/login-attempt";
import { signalOf } from "@palisade/login-rules/suspicion";
import {
  handshakeFrameBytesMax,
  handshakePacketId,
} from "@palisade/minecraft-protocol/java/handshake";
import { namesPlayerAddress } from "@palisade/minecraft-protocol/java/host";
import { KnownHandshakes } from "@palisade/minecraft-protocol/java/known-handshakes";
import { detectLegacy, type LegacyKind } from "@palisade/minecraft-protocol/java/legacy";
import {
  decodeLoginStart,
  loginStartFrameBytesMax,
  loginStartPacketId,
} from "@palisade/minecraft-protocol/java/login";
import { atLeast } from "@palisade/minecraft-protocol/java/versions";
import type { Connection } from "@palisade/sockets/tcp-connection";
import type { ConnectionDeps } from "./connection-deps.ts";
import { askForCookie } from "./cookie-request.ts";
import { JavaConnection, type Packet, PacketStep, Step } from "./java-connection.ts";
import { answerNameless, tookLegacyHello } from "./legacy-exchange.ts";
import { takeLogin, takeUnread } from "./login.ts";
import { asking } from "./status-exchange.ts";

/** Begins with an accepted connection. */
export function beginJava(
  socket: Connection,
  sourceKey: string,
  connection: number,
  deps: ConnectionDeps,
): JavaConnection {
  const conn = new JavaConnection(socket, sourceKey, connection, deps, protocolDetection);
  socket.resume();
  return conn;
}

/** The first bytes, which tell a modern client from one before 1.7. */
class ProtocolDetection extends Step {
  override readonly usesNode = false;
  /** The kind of client if nothing more comes; undefined while that cannot be said. */
  readonly #otherwise: LegacyKind | undefined;
  /** The bytes so far may be a whole packet: the deadline is only a short pause. */
  readonly #isPause: boolean;

  constructor(otherwise?: LegacyKind, isPause = false) {
    super();
    this.#otherwise = otherwise;
    this.#isPause = isPause;
  }

  override take(conn: JavaConnection): boolean {
    if (conn.head.length === 0) return false;
    const result = detectLegacy(conn.head);
    if (result.kind === "undecided") {
      conn.step = pausing[result.otherwise];
      conn.deadline(conn.deps.limits.legacyDecisionMs);
      return false;
    }
    if (result.kind !== "modern") {
      const isWhole = tookLegacyHello(conn, result.kind);
      if (!isWhole) this.#goOn(conn, reading[result.kind]);
      return false;
    }
    this.#goOn(conn, handshaking);
    return true;
  }

  override expire(conn: JavaConnection): void {
    if (this.#otherwise === undefined) conn.drop("deadline");
    else answerNameless(conn, this.#otherwise);
  }

  /** More bytes follow the pause: they get the whole deadline, once per connection. */
  #goOn(conn: JavaConnection, next: Step): void {
    if (this.#isPause) conn.deadline(conn.deps.limits.handshakeMs);
    conn.step = next;
  }
}

const protocolDetection: Step = new ProtocolDetection();

function detections(isPause: boolean): Readonly<Record<LegacyKind, Step>> {
  return {
    "ping-1.3": new ProtocolDetection("ping-1.3", isPause),
    "ping-1.4": new ProtocolDetection("ping-1.4", isPause),
    "ping-1.6": new ProtocolDetection("ping-1.6", isPause),
    login: new ProtocolDetection("login", isPause),
  };
}

const pausing = detections(true);
const reading = detections(false);

/** Shared by all connections of this thread. */
const known = new KnownHandshakes();

/** The handshake, which names the host and so the shield. */
class Handshaking extends PacketStep {
  override took(conn: JavaConnection, frame: Packet): boolean {
    if (frame.id !== handshakePacketId) return conn.drop("malformed");
    const result = known.decode(conn.head, frame.bodyStart, frame.bodyEnd);
    if (!result.ok) return conn.drop("malformed");
    const { handshake } = result;
    if (handshake.intent === "transfer" && !atLeast(handshake.protocol, "1.20.5")) {
      return conn.drop("malformed");
    }
    conn.deps.outcomes.countHandshake(handshake.intent);
    conn.client = handshake;
    if (!conn.comesTo(conn.deps.hosts.find(handshake.host))) return false;
    conn.offset = conn.handshakeEnd = frame.bodyEnd;
    conn.handshakeAtMs = conn.deps.mitigation.monotonicMs();
    conn.step = handshake.intent === "status" ? asking : loginStarting;
    return true;
  }
}

const handshaking = new Handshaking(handshakeFrameBytesMax);

const earlyBytes = signalOf("early_bytes");
const splitPacket = signalOf("split_packet");
const lateLogin = signalOf("late_login");
const oddHost = signalOf("odd_host");

/**
 * A later Login Start is late: more than a lost segment costs, and half of what the edge waits. Games
 * write it right behind the handshake; whether both come in one read says nothing.
 */
const lateMs = 1_000;

/** The signals in the first bytes of a login, once its Login Start is read. */
function signalsOnWire(conn: JavaConnection): Signals {
  const { client, head, offset, isSplit, handshakeAtMs, deps } = conn;
  const isLate = deps.mitigation.monotonicMs() - handshakeAtMs >= lateMs;
  const isOddHost = client?.port === 0 || namesPlayerAddress(client?.suffix ?? "");
  return (
    (head.length > offset ? earlyBytes : 0) |
    (isSplit ? splitPacket : 0) |
    (isLate ? lateLogin : 0) |
    (isOddHost ? oddHost : 0)
  );
}

/** Login Start, which names the player. */
class LoginStarting extends PacketStep {
  override took(conn: JavaConnection, frame: Packet): boolean {
    const { shield, client } = conn;
    if (frame.id !== loginStartPacketId || client === undefined) return conn.drop("malformed");
    const { protocol } = client;
    const { bodyStart, bodyEnd } = frame;
    const login = decodeLoginStart(conn.head, bodyStart, bodyEnd, protocol);
    if (!login.ok) return conn.drop("malformed");
    conn.offset = bodyEnd;
    const { name, nameValid, profileKey } = login;
    const wire = signalsOnWire(conn);
    const says = { name, nameValid, protocol, form: "modern", profileKey, wire } as const;
    const isTransfer = client.intent === "transfer";
    if (isTransfer && shield !== undefined) {
      const { verification } = conn.deps;
      const mayBring = verification.asksForCookie(shield, protocol, conn.ip);
      if (mayBring) return askForCookie(conn, says, shield);
    }
    return takeLogin(conn, says);
  }

  /**
   * No more bytes are read than any client's Login Start has. A client that announces more than the
   * owner allows is told so; the name that it has not sent decides nothing.
   */
  override tookMalformed(conn: JavaConnection, frameBytes: number): false {
    const protocol = conn.client?.protocol;
    const max = conn.shield?.rules.mitigation.packet_bytes_max ?? Number.POSITIVE_INFINITY;
    if (protocol === undefined || frameBytes <= max) return conn.drop("malformed");
    return takeUnread(conn, { name: "", nameValid: true, protocol, form: "modern", frameBytes });
  }
}

const loginStarting = new LoginStarting(loginStartFrameBytesMax);
