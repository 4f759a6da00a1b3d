export type Transport = "tcp" | "udp";

/** A socket of the edge for the threads that take players; can be passed as a structured clone. */
export interface WatchedSocket {
  readonly fd: number;
  readonly port: number;
  readonly transport: Transport;
  /** Players of all shields come here; otherwise to the port of one shield. */
  readonly isShared: boolean;
}
