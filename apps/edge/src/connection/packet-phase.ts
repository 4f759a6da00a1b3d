import { type FrameResult, readFrame } from "@palisade/minecraft-protocol/java/frame";
import { pingPacketId } from "@palisade/minecraft-protocol/java/status";
import { type ConnectionState, Phase } from "./connection-state.ts";

export type Packet = Extract<FrameResult, { kind: "packet" }>;
export type Malformed = Extract<FrameResult, { kind: "malformed" }>;

/** Highest id of a packet that is expected of a client before its verdict. */
const packetIdMax = pingPacketId;

/** Waits for a packet of bounded length. */
export abstract class PacketPhase extends Phase {
  override readonly usesNode: boolean = false;
  readonly #frameBytesMax: number;

  constructor(frameBytesMax: number) {
    super();
    this.#frameBytesMax = frameBytesMax;
  }

  /** @returns whether the next one is read */
  abstract took(conn: ConnectionState, frame: Packet): boolean;

  override step(conn: ConnectionState): boolean {
    const frame = readFrame(conn.head, conn.offset, this.#frameBytesMax);
    if (frame.kind === "packet") return this.took(conn, frame);
    if (frame.kind === "malformed") return this.tookMalformed(conn, frame);
    // Scanners speaking HTTP or TLS need not be waited for.
    return frame.id !== undefined && frame.id > packetIdMax && conn.drop("malformed");
  }

  tookMalformed(conn: ConnectionState, _frame: Malformed): false {
    return conn.drop("malformed");
  }
}
