import { once } from "node:events";
import { createServer } from "node:net";

interface Claim {
  /** Whether another program has it. */
  readonly proof: Promise<void>;
  readonly workers: Set<number>;
}

/**
 * Ports that the workers of this edge share. With `reusePort` two programs of one user would share
 * one silently: so before the first of ours listens, the port is bound once without it.
 */
export class PortClaims {
  readonly #claims = new Map<number, Claim>();
  /**
   * Ports that are being bound: if a claim is released before that, the next one uses the result.
   */
  readonly #proving = new Map<number, Promise<void>>();
  #isAlone: boolean;

  /** @param isBeside an earlier front of this edge listens on its ports until it has left */
  constructor(isBeside = false) {
    this.#isAlone = !isBeside;
  }

  /** The earlier front has left. */
  becomeAlone(): void {
    this.#isAlone = true;
  }

  /** @throws as `listen` does where it cannot be had */
  async claim(worker: number, host: string, port: number): Promise<void> {
    // Port 0 gives a free port, so no claim is needed.
    if (port === 0) return;
    const known = this.#claims.get(port);
    const claim = known ?? { proof: this.#prove(host, port), workers: new Set() };
    this.#claims.set(port, claim);
    claim.workers.add(worker);
    try {
      await claim.proof;
    } catch (error) {
      // The claim may have been released, and made again, in between.
      if (this.#claims.get(port) === claim) this.release(worker, port);
      throw error;
    }
  }

  /** A port that was free, and is the worker's now. */
  take(worker: number, port: number): void {
    const claim = this.#claims.get(port) ?? { proof: Promise.resolve(), workers: new Set() };
    this.#claims.set(port, claim);
    claim.workers.add(worker);
  }

  release(worker: number, port: number): void {
    const claim = this.#claims.get(port);
    claim?.workers.delete(worker);
    if (claim?.workers.size === 0) this.#claims.delete(port);
  }

  /** The worker is gone, and its replacement asks again. */
  releaseAll(worker: number): void {
    for (const port of this.#claims.keys()) this.release(worker, port);
  }

  #prove(host: string, port: number): Promise<void> {
    if (!this.#isAlone) return Promise.resolve();
    const proof =
      this.#proving.get(port) ?? bindOnce(host, port).finally(() => this.#proving.delete(port));
    this.#proving.set(port, proof);
    return proof;
  }

  /** Ports that workers listen on, or are about to. */
  get ports(): number[] {
    return [...this.#claims.keys()];
  }
}

async function bindOnce(host: string, port: number): Promise<void> {
  const server = createServer((socket) => socket.destroy());
  server.listen({ host, port });
  await once(server, "listening");
  server.close();
  await once(server, "close");
}
