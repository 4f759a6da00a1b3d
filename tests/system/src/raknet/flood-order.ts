import { fileURLToPath } from "node:url";

/** Program that sends a flood of datagrams; see its head. */
export const datagramFloodProgram = fileURLToPath(new URL("./flood-program.ts", import.meta.url));

export interface DatagramFloodOrder {
  readonly host: string;
  readonly port: number;
  /** IPv4; the others follow it. */
  readonly firstSource: string;
  readonly sources: number;
  readonly fromPort: number;
  readonly perSecond: number;
  readonly seconds: number;
  /** As hex. */
  readonly datagram: string;
}

export interface DatagramFloodResult {
  readonly kind: "flooded";
  sent: number;
  /** UDP payload, as all bytes here. */
  sentBytes: number;
  answered: number;
  answeredBytes: number;
  /** Answers that arrived and were not counted. */
  unread: number;
  seconds: number;
}
