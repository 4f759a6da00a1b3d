/** A packet in which only the code of the trace differs from one player to the next. */
export class TracedPacket {
  readonly #packet: Buffer;
  readonly #traceLength: number;
  readonly #places: readonly number[];

  /**
   * @param packet belongs to this object from now on
   * @param trace the code in it; it is random, so it stands nowhere else
   */
  constructor(packet: Buffer, trace: string) {
    this.#packet = packet;
    this.#traceLength = trace.length;
    this.#places = placesOf(packet, trace);
  }

  /** @returns the packet with this code, whose bytes are valid until the next call; undefined for another length */
  with(trace: string): Buffer | undefined {
    if (trace.length !== this.#traceLength) return undefined;
    for (const at of this.#places) this.#packet.write(trace, at, "latin1");
    return this.#packet;
  }
}

function placesOf(packet: Buffer, trace: string): number[] {
  const places: number[] = [];
  if (trace === "") return places;
  for (let at = packet.indexOf(trace); at >= 0; at = packet.indexOf(trace, at + 1)) places.push(at);
  return places;
}
