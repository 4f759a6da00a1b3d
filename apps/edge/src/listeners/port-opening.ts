/** How the ports of an edge are opened: by it alone, or by each of its threads beside the others. */
export interface PortOpening {
  /** For `listen`. */
  readonly reusePort: boolean;
  /**
   * Resolves once this edge may listen there; undefined: it may try.
   *
   * @throws if another program does
   */
  claim(host: string, port: number): Promise<void> | undefined;
  /** It is closed. */
  release(port: number): void;
}

/** One thread: the port is had, or not, with `listen`. */
export const soleOpening: PortOpening = {
  reusePort: false,
  claim: () => undefined,
  release: () => undefined,
};
