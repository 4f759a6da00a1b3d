import type { BedrockHealth } from "@palisade/contract/edge/telemetry";
import { readAdvertisement } from "@palisade/minecraft-protocol/bedrock/advertisement";
import type { ConnectLimit } from "#src/dialling/player-dial.ts";
import { threadReactor } from "@palisade/sockets/reactor";
import type { BackendAddress } from "#src/resolver/backend-resolver.ts";
import type { Backend } from "#src/shields/backend-groups.ts";
import type { BackendSocketDeps } from "./backend-socket.ts";
import type { BedrockTarget } from "#src/shields/bedrock-target.ts";
import { PingExchange, type PingExchangeDeps, type PingResult } from "./ping-exchange.ts";

const latencyMaxMs = 60_000;
/** Addresses that are remembered for one backend: as many as its name may have. */
const answeredMax = 8;

export interface BackendPingsDeps extends PingExchangeDeps, BackendSocketDeps {
  readonly connects: Pick<ConnectLimit, "allows">;
  readonly nowMs: () => number;
  /** Another health of a backend than the last time, or other players and another latency. */
  readonly onHealth: (backend: Backend, health: BedrockHealth) => void;
}

/** Asks backends for their pong: for pings of players, and to know whether they are up. */
export class BackendPings {
  readonly #deps: BackendPingsDeps;

  constructor(deps: BackendPingsDeps) {
    this.#deps = deps;
  }

  /**
   * Asks, unless an answer is being waited for already.
   *
   * @param purge as of `StatusCaching`
   * @param onEnd called once the answer is there, or none has come
   */
  ask(backend: Backend, target: BedrockTarget, purge: number, onEnd: () => void): void {
    const { pong } = target;
    if (pong.isAsked) return;
    const isUp = target.health.state === "up" && !target.health.isDown;
    if (!isUp && !this.#deps.connects.allows("check", backend, "minecraft")) return;
    pong.isAsked = true;
    pong.askedAtMs = this.#deps.monotonicMs();
    const end = (result: PingResult): void => {
      pong.isAsked = false;
      if (result.kind === "pong") pong.purge = purge;
      this.#note(target, result);
      onEnd();
    };
    const begin = (addresses: readonly BackendAddress[]): void => {
      void new PingExchange(this.#deps, { ...placeOf(target), addresses }, end);
    };
    const addresses = this.#deps.resolver.addresses(backend.host);
    if (addresses instanceof Promise) {
      void addresses.then(begin);
      threadReactor().wakeNode();
    } else begin(addresses);
  }

  /** Tells how a backend is, if that has changed. Call it once a second. */
  tell(backend: Backend, target: BedrockTarget): void {
    const { told } = target;
    if (told === undefined ? isUntried(target) : isAsTold(target, told)) return;
    target.told = healthOf(target);
    this.#deps.onHealth(backend, target.told);
  }

  #note({ pong, health, answered, players }: BedrockTarget, result: PingResult): void {
    const { nowMs, monotonicMs } = this.#deps;
    const moment = { wallMs: nowMs(), monotonicMs: monotonicMs() };
    if (result.kind === "pong") {
      pong.advertisement = readAdvertisement(result.pong.advertisement);
      pong.atMs = moment.monotonicMs;
      pong.playersThen = players;
      if (answered.size < answeredMax) answered.add(result.address.text);
      health.latencyMs = Math.min(latencyMaxMs, Math.max(0, Math.round(result.latencyMs)));
      health.succeeded(moment);
    } else if (result.kind !== "no_room") health.failed(result.kind, moment);
  }
}

function isUntried({ health }: BedrockTarget): boolean {
  return health.state === "unknown" && health.lastError === null;
}

function isAsTold({ health, players }: BedrockTarget, told: BedrockHealth): boolean {
  return (
    told.state === health.state &&
    told.last_error === health.lastError &&
    told.players === players &&
    told.latency_ms === health.latencyMs
  );
}

function healthOf({ port, health, players }: BedrockTarget): BedrockHealth {
  const { state, latencyMs, lastError, changedAtMs } = health;
  return {
    port,
    state,
    players,
    latency_ms: latencyMs,
    last_error: lastError,
    changed_at: changedAtMs === null ? null : new Date(changedAtMs).toISOString(),
  };
}

const placeOf = ({ port, proxy }: BedrockTarget) => ({ port, proxy });
