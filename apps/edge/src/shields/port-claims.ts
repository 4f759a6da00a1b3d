import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { PortClaim } from "#src/shields/shield-registry.ts";

interface Claim {
  readonly shieldId: string;
  readonly target: CompiledShield;
}

/** Ports that a change has brought, and those that no shield wants any more. */
export interface PortChanges {
  readonly opened: readonly number[];
  readonly closed: readonly number[];
}

/**
 * Which shields want which TCP ports for their games that are not parsed. While two shields claim a
 * port, as happens when it moves from one to the other, the one configured last has it.
 */
export class PortClaims {
  readonly #claims = new Map<number, Claim[]>();
  readonly #portsOf = new Map<string, readonly number[]>();

  get ports(): number[] {
    return [...this.#claims.keys()];
  }

  has(port: number): boolean {
    return this.#claims.has(port);
  }

  /** The shield whose players come to this port. */
  targetOf(port: number): CompiledShield | undefined {
    return this.#claims.get(port)?.at(-1)?.target;
  }

  /** Takes over the ports of a shield; none if it is gone. */
  replace(shieldId: string, ports: readonly PortClaim[]): PortChanges {
    const before = this.#portsOf.get(shieldId) ?? [];
    const known = new Set(this.#claims.keys());
    for (const port of before) this.#set(port, this.#without(port, shieldId));
    for (const { port, target } of ports) {
      this.#set(port, [...(this.#claims.get(port) ?? []), { shieldId, target }]);
    }
    if (ports.length === 0) this.#portsOf.delete(shieldId);
    else {
      this.#portsOf.set(
        shieldId,
        ports.map(({ port }) => port),
      );
    }
    return {
      opened: ports.map(({ port }) => port).filter((port) => !known.has(port)),
      closed: before.filter((port) => !this.#claims.has(port)),
    };
  }

  #without(port: number, shieldId: string): Claim[] {
    return (this.#claims.get(port) ?? []).filter((claim) => claim.shieldId !== shieldId);
  }

  #set(port: number, claims: Claim[]): void {
    if (claims.length === 0) this.#claims.delete(port);
    else this.#claims.set(port, claims);
  }
}
