import type {
  BackendError,
  BackendHealth as HealthReport,
} from "@palisade/contract/edge/telemetry";
import type { BackendGroupConfig } from "@palisade/contract/edge/shield-config";
import { type IpBytes, parseIp } from "@palisade/minecraft-protocol/proxy/address";

/** Failures in a row until a backend counts as down, and successes in a row until it is up again. */
export const failuresUntilDown = 2;
export const successesUntilUp = 2;
/** Failures within this time count as one: many joins at once meet the same fault. */
export const sameFailureMs = 500;
/** A backend that is down and could not be reached this lately is not tried again for a player. */
export const justFailedMs = 1_000;

/** The part of a backend's health that routing uses. */
export interface HealthStatus {
  readonly state: HealthReport["state"];
  readonly isDown: boolean;
  readonly unreachableAtMs: number;
}

export interface Moment {
  /** Time of day, for reports. */
  readonly wallMs: number;
  /** For durations; never set back. */
  readonly monotonicMs: number;
}

/**
 * The health of one backend, from checks and from players' connections. The state changes only
 * after several equal outcomes, so that a flapping backend does not flap for players.
 */
export class BackendHealth {
  #state: HealthReport["state"] = "unknown";
  #changedAtMs: number | null = null;
  /** When the failure came that was counted last. */
  #countedAtMs = Number.NEGATIVE_INFINITY;
  #unreachableAtMs = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #successes = 0;
  /** Whether the last failure was that it answered no status. */
  #isMute = false;
  /** Whether the last player sent there was not hung up on. */
  #takesPlayers = true;
  /** The state that the main thread knows, which beats this thread's own. */
  #told: HealthStatus | undefined;
  lastError: BackendError | null = null;
  /** The last check got a status only with a PROXY header, which the group does not send. */
  expectsProxy = false;
  latencyMs: number | null = null;

  get state(): HealthReport["state"] {
    return this.#told?.state ?? this.#state;
  }

  /**
   * Whether players are better sent elsewhere. A backend that only answers no status is not down,
   * because servers can turn that off; it is down once it hangs up on a player, as a proxy in front
   * of a dead server does.
   */
  get isDown(): boolean {
    if (this.#told !== undefined) return this.#told.isDown;
    if (this.#state !== "down") return false;
    return !this.#isMute || !this.#takesPlayers;
  }

  /** Whether the last outcome agrees with the state; if not, the next one may change it. */
  get isSettled(): boolean {
    return this.#state === "down" ? this.#successes === 0 : this.#failures === 0;
  }

  /** Time of day. */
  get changedAtMs(): number | null {
    return this.#changedAtMs;
  }

  /** Monotonic: when a connection to it failed last; -Infinity if none did. */
  get unreachableAtMs(): number {
    return this.#told?.unreachableAtMs ?? this.#unreachableAtMs;
  }

  /** Takes the state from the thread that keeps the health of all. */
  believe(word: HealthStatus): void {
    this.#told = word;
  }

  /** @returns whether there is something to tell: another state, or another last error */
  succeeded(now: Moment): boolean {
    const hadError = this.lastError !== null;
    this.lastError = null;
    this.#takesPlayers = true;
    this.#failures = 0;
    this.#successes++;
    const enough = this.#state === "unknown" || this.#successes >= successesUntilUp;
    return (enough && this.#become("up", now)) || hadError;
  }

  /** @returns as of `succeeded` */
  failed(error: BackendError, now: Moment): boolean {
    const isOther = this.lastError !== error;
    this.lastError = error;
    this.#successes = 0;
    this.#isMute = error === "not_minecraft";
    // A server with its status turned off still takes players.
    if (!this.#isMute) this.#unreachableAtMs = now.monotonicMs;
    if (this.#failures === 0 || now.monotonicMs - this.#countedAtMs >= sameFailureMs) {
      this.#failures++;
      this.#countedAtMs = now.monotonicMs;
    }
    return (this.#failures >= failuresUntilDown && this.#become("down", now)) || isOther;
  }

  /** The backend accepted a player's connection and ended it without an answer. */
  hungUp(now: Moment): void {
    this.#takesPlayers = false;
    this.#unreachableAtMs = now.monotonicMs;
  }

  #become(state: "up" | "down", now: Moment): boolean {
    if (this.#state === state) return false;
    this.#state = state;
    this.#changedAtMs = now.wallMs;
    return true;
  }
}

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

  /** Whether the address is the backend's own for certain: behind a name it has to have answered. */
  isOwn(address: string): boolean {
    return !this.#isName || this.#answered.includes(address);
  }

  /** Whether it is known by its name alone: players of the game have to wait for an answer. */
  isNameOnly(game: Game): boolean {
    return this.#isName && !this.isKnown(game);
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

export interface LocatedGroup {
  readonly id: string;
  readonly isDefault: boolean;
  readonly game: BackendGroupConfig["game"];
  /** The location whose edges use the group; null for all. */
  readonly location: string | null;
}

/**
 * The groups to try for a Minecraft player on an edge of the given location, best first: the group
 * that the player's domain names if it serves this edge, else the first that names the location,
 * else the default one; and the default one behind it.
 *
 * @param location undefined if the edge does not know its own
 * @param wanted id of the domain's group; null if it names none
 * @returns empty if no group is for Minecraft
 */
export function groupChain<G extends LocatedGroup>(
  groups: readonly G[],
  location: string | undefined,
  wanted: string | null,
): readonly G[] {
  const candidates = groups.filter(({ game }) => game === "minecraft");
  const last = candidates.find(({ isDefault }) => isDefault) ?? candidates[0];
  if (last === undefined) return [];
  const local = candidates.find((group) => group.location === location);
  const named = candidates.find(({ id }) => id === wanted);
  const first = named !== undefined && servesEdge(named, location) ? named : (local ?? last);
  return first === last ? [last] : [first, last];
}

/** Whether the group's own setting allows edges of the location. */
export function servesEdge(group: LocatedGroup, location: string | undefined): boolean {
  return group.location === null || group.location === location;
}

export interface BalancingInput {
  readonly ip: IpBytes;
  /** Counts up with every join of the group. */
  readonly turn: number;
  /** In [0, 1). */
  readonly random: number;
}

/** Input for the choice of a backend. */
export interface Choice {
  readonly id: string;
  readonly load: {
    /** Players there, and those on their way. */
    readonly players: number;
    readonly dialling: number;
  };
}

/**
 * A group's backends in the order they are tried for one player: the method's choice first, then
 * the others, so that a dead one costs one attempt.
 */
export function backendOrder<B extends Choice>(
  method: BackendGroupConfig["balancing"],
  backends: readonly B[],
  facts: BalancingInput,
): readonly B[] {
  const count = backends.length;
  if (count < 2) return backends;
  if (method === "least_connections") {
    return backends.toSorted((a, b) => loadOf(a) - loadOf(b));
  }
  if (method === "ip_hash") return byRendezvous(backends, facts.ip);
  const turn = method === "round_robin" ? facts.turn : Math.floor(facts.random * count);
  const first = turn % count;
  return [...backends.slice(first), ...backends.slice(0, first)];
}

function loadOf({ load }: Choice): number {
  return load.players + load.dialling;
}

/**
 * Rendezvous hashing: every backend draws a number for the address and the highest wins. What
 * the others do (fail, come back, are added) moves only the players who were or will be theirs.
 */
function byRendezvous<B extends Choice>(backends: readonly B[], ip: IpBytes): readonly B[] {
  // Privacy extensions change the rest of an IPv6 address daily.
  const line = ip.length === 4 ? ip : ip.subarray(0, 8);
  return backends
    .map((backend) => ({ backend, score: scoreOf(backend.id, line) }))
    .sort((a, b) => b.score - a.score || (a.backend.id < b.backend.id ? -1 : 1))
    .map(({ backend }) => backend);
}

/** FNV-1a of both, 32 bits, with the last mix of MurmurHash3: FNV alone spreads short keys badly. */
function scoreOf(id: string, ip: IpBytes): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  for (const byte of ip) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export interface WithHealth extends Pick<Choice, "load"> {
  readonly health: { readonly isDown: boolean; readonly unreachableAtMs: number };
}

/**
 * The one backend that is tried although all that were left are down: the one that could not be
 * reached the longest ago. Health is an opinion, and only trying shows that it is out of date.
 *
 * @returns undefined if that one, too, has only just failed, or another player is already trying
 */
export function lastChance<B extends WithHealth>(
  groups: readonly { readonly backends: readonly B[] }[],
  nowMs: number,
): B | undefined {
  let best: B | undefined;
  for (const { backends } of groups) {
    for (const backend of backends) {
      const { isDown, unreachableAtMs } = backend.health;
      if (!isDown || backend.load.dialling > 0 || nowMs - unreachableAtMs < justFailedMs) continue;
      if (best === undefined || unreachableAtMs < best.health.unreachableAtMs) best = backend;
    }
  }
  return best;
}
