import type { BackendGroupConfig } from "@palisade/contract/edge/shield-config";
import { parseIp } from "@palisade/minecraft-protocol/proxy/address";

type Game = BackendGroupConfig["game"];

/** Addresses that are remembered for one backend: as many as its name may have. */
const addressesMax = 8;

/**
 * Whether players may be relayed to a backend. Any account can name any public address as its
 * backend, so a server that is no Minecraft server, or a stranger's, must never get a player's
 * bytes.
 *
 * A proof in the configuration counts for the address that the owner has given. A name can lead to
 * another server tomorrow, so behind a name each address has to answer this edge as Minecraft. For
 * games that are not parsed only the configuration counts: the api replaces a name there by the
 * address that its owner has proved.
 */
export class BackendProof {
  readonly #isName: boolean;
  #isConfigured: boolean;
  #answered: readonly string[] = [];

  constructor(host: string, isConfigured: boolean) {
    this.#isName = parseIp(host) === undefined;
    this.#isConfigured = isConfigured;
  }

  /** Takes over what a new configuration says of the same address. */
  configure(isConfigured: boolean): void {
    this.#isConfigured = isConfigured;
  }

  /** Addresses that have answered as Minecraft; another array once one was added. */
  get answered(): readonly string[] {
    return this.#answered;
  }

  /**
   * The address has answered a status request as Minecraft.
   *
   * @returns whether that was not known
   */
  answer(address: string): boolean {
    if (this.#answered.includes(address)) return false;
    this.#answered = [...this.#answered.slice(1 - addressesMax), address];
    return true;
  }

  /** Whether it takes its part in the balancing; behind a name an address may still have to answer. */
  isExpected(game: Game): boolean {
    return this.#isConfigured || this.isKnown(game);
  }

  /** Whether players of the game may be relayed to any of its addresses. */
  isKnown(game: Game): boolean {
    if (game === "other") return this.#isConfigured;
    return (this.#isConfigured && !this.#isName) || this.#answered.length > 0;
  }

  /** Whether players of the game may be relayed to this one of its addresses. */
  allows(game: Game, address: string): boolean {
    if (game === "other") return this.#isConfigured;
    return (this.#isConfigured && !this.#isName) || this.#answered.includes(address);
  }
}
