import { threadReactor } from "#src/reactor/thread-reactor.ts";
import type { DialPolicy } from "#src/routing/dial-policy.ts";
import type { BackendProof } from "#src/routing/backend-proof.ts";
import type { Backend, BackendGroup } from "#src/shields/compiled-shield.ts";
import type { BackendAddress, BackendResolver } from "#src/resolver/backend-resolver.ts";
import {
  ConnectAttempt,
  type ConnectDeps,
  type DialFailure,
  type DialResult,
} from "./connect-attempt.ts";

export interface BackendDialDeps extends ConnectDeps {
  readonly resolver: Pick<BackendResolver, "addresses">;
  readonly policy: DialPolicy;
}

type DialTarget = Pick<Backend, "host"> & Partial<Pick<Backend, "proof">>;

/** Connects to a backend: to each of its addresses in turn, until one answers. */
export class BackendDial {
  readonly #deps: BackendDialDeps;
  readonly #port: number;
  readonly #onResult: (result: DialResult) => void;
  #addresses: readonly BackendAddress[] = [];
  #next = 0;
  /** The game of the player, who must not be relayed to an unproven address; undefined without one. */
  #game: BackendGroup["game"] | undefined;
  #proof: BackendProof | undefined;
  /** Whether an address was left out because it is unproven. */
  isUnproven = false;
  /** The result if it were given up now. */
  failure: DialFailure = "unresolved";
  #attempt: ConnectAttempt | undefined;
  #isOver = false;

  /**
   * @param onResult called once unless the dial is aborted, perhaps before `start` returns; a failure
   *   is that of the last address that may be dialled
   */
  constructor(deps: BackendDialDeps, port: number, onResult: (result: DialResult) => void) {
    this.#deps = deps;
    this.#port = port;
    this.#onResult = onResult;
  }

  /** @param game of a player; then only proven addresses are dialled */
  start({ host, proof }: DialTarget, game?: BackendGroup["game"]): void {
    this.#game = game;
    this.#proof = proof;
    const addresses = this.#deps.resolver.addresses(host);
    if (addresses instanceof Promise) {
      // From here on it runs in Node's loop.
      void addresses.then((found) => this.#begin(found));
      threadReactor().wakeNode();
    } else this.#begin(addresses);
  }

  /** Gives up without a result. */
  abort(): void {
    this.#isOver = true;
    this.#attempt?.abort();
  }

  #begin(addresses: readonly BackendAddress[]): void {
    if (addresses.length > 0) this.failure = "forbidden";
    this.#addresses = addresses;
    this.#tryNext();
  }

  #tryNext(): void {
    if (this.#isOver) return;
    const address = this.#addresses[this.#next++];
    if (address === undefined) {
      this.#finish({ kind: this.failure });
      return;
    }
    if (!this.#deps.policy.mayDial(address.ip, this.#port)) {
      this.#tryNext();
      return;
    }
    if (this.#game !== undefined && this.#proof?.allows(this.#game, address.text) !== true) {
      this.isUnproven = true;
      this.#tryNext();
      return;
    }
    const remote = { ip: address.text, port: this.#port };
    this.failure = "timeout";
    this.#attempt = new ConnectAttempt(this.#deps, remote, (result) => {
      if (result.kind === "connected") {
        this.#finish(result);
        return;
      }
      this.failure = result.kind;
      this.#tryNext();
    });
    this.#attempt.start();
  }

  #finish(result: DialResult): void {
    this.#isOver = true;
    this.#onResult(result);
  }
}
