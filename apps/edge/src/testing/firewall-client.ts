import { connect } from "node:net";

export interface VisitOrder {
  readonly host: string;
  readonly port: number;
  /** Any address of the world's. */
  readonly from: string;
}

interface Visit {
  readonly id: number;
  readonly order: VisitOrder;
}

/**
 * Connects from the given address. Answers `{ id }` once a byte has come back; the kernel tries
 * again by itself until then.
 */
process.on("message", ({ id, order }: Visit) => {
  const { host, port, from } = order;
  const socket = connect({ host, port, localAddress: from });
  socket.on("connect", () => socket.write("?"));
  socket.once("data", () => {
    process.send?.({ id });
    socket.destroy();
  });
  socket.on("error", (error) => process.send?.({ id, failure: error.message }));
});
process.on("disconnect", () => process.exit());
process.send?.({ id: 0 });
