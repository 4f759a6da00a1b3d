import type { BackendError } from "@palisade/contract/edge/telemetry";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { Connection } from "@palisade/sockets/tcp-connection";
import { threadReactor } from "@palisade/sockets/reactor";
import { backendOrder, lastChance } from "#src/routing/backends.ts";
import type { PerSecondQuota } from "@palisade/shared-tables/shared-tables";
import type { Backend, BackendGroup } from "#src/shields/backend-groups.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import { BackendDial, type BackendDialDeps, type DialResult } from "./backend-dial.ts";

/** Players being connected at once to a backend that is not known to be up. */
export const unknownDialsMax = 64;

export interface PlayerDialDeps extends BackendDialDeps {
  readonly health: { failed(backend: Backend, error: BackendError): void };
  /** No clock that can be set. */
  readonly monotonicMs: () => number;
  readonly connects: Pick<ConnectLimit, "allows">;
  /** Asks an unproven backend for its status; see `BackendProver`. */
  readonly prover: {
    stateOf(backend: Backend): "idle" | "asking" | "failed";
    ask(backend: Backend, group: BackendGroup, host: string): Promise<boolean>;
  };
}

/** The groups to try, best first, and the host for the handshake of a status request. */
export type Destination = Pick<CompiledShield, "chain" | "statusHost">;

export interface Dialled {
  readonly group: BackendGroup;
  readonly backend: Backend;
  /** Nothing was read of it. */
  readonly socket: Connection;
}

/**
 * Why there is no connection: no backend answers; none was proven, nor answers as Minecraft; or the
 * shield has connected to enough backends that do not answer.
 */
export type DialRefusal = "offline" | "unproven" | "shed_dials";

export type DialOutcome = Dialled | DialRefusal;

type Candidate = Pick<Dialled, "group" | "backend">;

/** Unproven backends that one player waits for. */
const asksMax = 3;

/** Connects players to backends. */
export class PlayerDialler {
  readonly #deps: PlayerDialDeps;

  constructor(deps: PlayerDialDeps) {
    this.#deps = deps;
  }

  /** @param onOutcome called once unless the dial is aborted, perhaps before this returns */
  dial(
    destination: Destination,
    ip: IpBytes,
    onOutcome: (outcome: DialOutcome) => void,
  ): Pick<PlayerDial, "abort"> {
    const dial = new PlayerDial(this.#deps, destination, ip, onOutcome);
    dial.start();
    return dial;
  }
}

/**
 * Connects a player to the first backend that answers: each group in turn, in the order of its
 * balancing, without those known to be down. Unproven ones come after all groups, and are asked for
 * their status first. If none is left, one that is down is tried anyway.
 */
class PlayerDial {
  readonly #deps: PlayerDialDeps;
  readonly #onOutcome: (outcome: DialOutcome) => void;
  readonly #destination: Destination;
  readonly #ip: IpBytes;
  /** Its next group, and the backends of the one before that are still to be tried. */
  #nextGroup = 0;
  #backends: readonly Backend[] = [];
  #nextBackend = 0;
  #pass: "proven" | "unproven" | "last" = "proven";
  #candidate: Candidate | undefined;
  #dial: BackendDial | undefined;
  #asks = 0;
  #isShed = false;
  #isAborted = false;

  /** @param onOutcome as of `PlayerDialler.dial` */
  constructor(
    deps: PlayerDialDeps,
    destination: Destination,
    ip: IpBytes,
    onOutcome: (outcome: DialOutcome) => void,
  ) {
    this.#deps = deps;
    this.#onOutcome = onOutcome;
    this.#destination = destination;
    this.#ip = ip;
  }

  start(): void {
    this.#tryNext();
  }

  /** Gives up without a result. */
  abort(): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#dial?.abort();
    this.#candidate?.backend.load.arrived();
    this.#candidate = undefined;
  }

  #tryNext(): void {
    const candidate = this.#nextCandidate();
    this.#candidate = candidate;
    if (candidate === undefined) this.#onOutcome(this.#refusal());
    else if (candidate.backend.proof.isKnown(candidate.group.game)) this.#connect(candidate);
    else this.#ask(candidate);
  }

  /** The next backend to try, which counts as being dialled from now on. */
  #nextCandidate(): Candidate | undefined {
    for (;;) {
      const backend = this.#backends[this.#nextBackend++];
      const group = this.#destination.chain[this.#nextGroup - 1];
      if (backend === undefined || group === undefined) {
        if (this.#enterNextGroup()) continue;
        return this.#pass === "last" ? undefined : this.#lastCandidate();
      }
      // Checked right now: other attempts may have started since the last one.
      const { health, load } = backend;
      const max = health.state === "up" ? undefined : unknownDialsMax;
      if (load.trySetOut(max)) return { group, backend };
    }
  }

  #enterNextGroup(): boolean {
    const group = this.#destination.chain[this.#nextGroup++];
    if (group === undefined) return this.#beginUnproven();
    this.#nextBackend = 0;
    this.#backends = [];
    if (this.#pass === "last") return false;
    const { game, balancing } = group;
    const isProven = this.#pass === "proven";
    const up = group.backends.filter(
      ({ health, proof }) => !health.isDown && proof.isExpected(game) === isProven,
    );
    this.#backends = up;
    if (up.length < 2 || !isProven) return true;
    const turn = balancing === "round_robin" ? group.turns.nextTurn(group.id) : 0;
    this.#backends = backendOrder(balancing, up, { ip: this.#ip, turn, random: Math.random() });
    return true;
  }

  /** All groups once more, for their unproven backends. */
  #beginUnproven(): boolean {
    if (this.#pass !== "proven") return false;
    this.#pass = "unproven";
    this.#nextGroup = 0;
    return true;
  }

  #lastCandidate(): Candidate | undefined {
    this.#pass = "last";
    const { chain } = this.#destination;
    const backend = lastChance(chain, this.#deps.monotonicMs());
    if (backend === undefined) return undefined;
    const group = chain.find(({ backends }) => backends.includes(backend));
    // If many players come at once, on any threads, only one tries.
    return group !== undefined && backend.load.trySetOut(1) ? { group, backend } : undefined;
  }

  #connect(candidate: Candidate): void {
    const { backend, group } = candidate;
    if (!this.#mayConnect(candidate)) return;
    this.#dial = new BackendDial(this.#deps, backend.port, (result) => this.#tried(result));
    this.#dial.start(backend, group.game);
  }

  /** Connects the player once the backend has answered as Minecraft. */
  #ask(candidate: Candidate): void {
    const { backend, group } = candidate;
    const { prover } = this.#deps;
    const state = group.game === "other" ? "failed" : prover.stateOf(backend);
    const isSurprise = !backend.proof.isExpected(group.game);
    if (state === "failed" || (isSurprise && this.#asks++ >= asksMax)) {
      this.#skip();
      return;
    }
    // Players who come in the same moment share one connection.
    if (state === "idle" && !this.#mayConnect(candidate)) return;
    void prover.ask(backend, group, this.#destination.statusHost).then((isMinecraft) => {
      if (this.#candidate !== candidate) return;
      if (isMinecraft) this.#connect(candidate);
      else this.#skip();
    });
    threadReactor().wakeNode();
  }

  /** Goes on to the next backend where the shield has tried enough that do not answer. */
  #mayConnect({ backend, group }: Candidate): boolean {
    if (this.#deps.connects.allows("dial", backend, group.game)) return true;
    this.#isShed = true;
    this.#skip();
    return false;
  }

  #skip(): void {
    this.#candidate?.backend.load.arrived();
    this.#candidate = undefined;
    this.#tryNext();
  }

  #tried(result: DialResult): void {
    const candidate = this.#candidate;
    if (candidate === undefined) return;
    // Its name leads to other addresses than those that have answered.
    if (result.kind === "forbidden" && this.#dial?.isUnproven === true) {
      this.#ask(candidate);
      return;
    }
    this.#candidate = undefined;
    candidate.backend.load.arrived();
    // A connection alone says little: the kernel accepts it even if the server hangs.
    if (result.kind === "connected") {
      this.#onOutcome({ ...candidate, socket: result.socket });
      return;
    }
    // A lack of descriptors says nothing about the backend.
    if (result.kind !== "no_room") this.#deps.health.failed(candidate.backend, result.kind);
    if (!this.#isAborted) this.#tryNext();
  }

  #refusal(): DialRefusal {
    if (this.#isShed) return "shed_dials";
    const { chain } = this.#destination;
    const isUnproven = chain.every(({ backends, game }) =>
      backends.every(({ proof }) => !proof.isExpected(game)),
    );
    return isUnproven && chain.some(({ backends }) => backends.length > 0) ? "unproven" : "offline";
  }
}

/** Connects that players cause, and those of health checks, which must not delay each other. */
export type ConnectKind = "dial" | "check";

/**
 * Connects in a second to one proven address that has not been tried yet. It is mostly a healthy one,
 * which is known to be up after the first; by address, so that no change of the settings starts anew.
 */
export const untriedPerSecondMax = 64;

/**
 * Limits the connects of one shield in a second to backends that are not known to answer, over all
 * threads of the edge: otherwise an edge could be made to knock at strangers' ports. Players of a
 * backend that is up are never counted.
 */
export class ConnectLimit {
  readonly #quota: PerSecondQuota;
  readonly #perSecondMax: number;

  constructor(quota: PerSecondQuota, perSecondMax: number) {
    this.#quota = quota;
    this.#perSecondMax = perSecondMax;
  }

  /** Whether the backend may be connected to now; counted if it is not known to answer. */
  allows(kind: ConnectKind, backend: Backend, game: BackendGroup["game"]): boolean {
    const { health, proof, shieldId, host, port } = backend;
    if (!health.isDown && health.state === "up") return true;
    if (!health.isDown && proof.isKnown(game)) {
      // It takes connections with its status turned off.
      if (health.state === "down") return true;
      const address = `${shieldId} ${host} ${port}`;
      if (this.#quota.take("untried", untriedPerSecondMax, address)) return true;
    }
    // Each address of a name is counted when it is asked.
    if (proof.isNameOnly(game)) return this.#quota.taken(kind, shieldId) < this.#perSecondMax;
    return this.#take(kind, backend);
  }

  /**
   * Whether this address of the backend may be asked for its status. A name can lead to strangers
   * beside the address that made it known: those are counted one by one.
   */
  allowsAddress(kind: ConnectKind, backend: Backend, address: string): boolean {
    return backend.proof.isOwn(address) || this.#take(kind, backend);
  }

  #take(kind: ConnectKind, { shieldId }: Backend): boolean {
    return this.#quota.take(kind, this.#perSecondMax, shieldId);
  }
}
