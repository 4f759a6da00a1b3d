import { detectLegacy, type LegacyKind } from "@palisade/minecraft-protocol/java/legacy";
import { type ConnectionState, Phase } from "./connection-state.ts";
import { handshaking } from "./handshaking.ts";
import { answerNameless, tookLegacyHello } from "./legacy-exchange.ts";

/** The first bytes, which tell a modern client from one before 1.7. */
class ProtocolDetection extends Phase {
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

  override step(conn: ConnectionState): boolean {
    if (conn.head.length === 0) return false;
    const result = detectLegacy(conn.head);
    if (result.kind === "undecided") {
      conn.phase = pausing[result.otherwise];
      conn.life.deadline(conn.deps.limits.legacyDecisionMs);
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

  override expire(conn: ConnectionState): void {
    if (this.#otherwise === undefined) conn.drop("deadline");
    else answerNameless(conn, this.#otherwise);
  }

  /** More bytes follow the pause: they get the whole deadline, once per connection. */
  #goOn(conn: ConnectionState, next: Phase): void {
    if (this.#isPause) conn.life.deadline(conn.deps.limits.handshakeMs);
    conn.phase = next;
  }
}

export const protocolDetection: Phase = new ProtocolDetection();

function phases(isPause: boolean): Readonly<Record<LegacyKind, Phase>> {
  return {
    "ping-1.3": new ProtocolDetection("ping-1.3", isPause),
    "ping-1.4": new ProtocolDetection("ping-1.4", isPause),
    "ping-1.6": new ProtocolDetection("ping-1.6", isPause),
    login: new ProtocolDetection("login", isPause),
  };
}

const pausing = phases(true);
const reading = phases(false);
