import { randomInt } from "node:crypto";
import {
  type Advertisement,
  encodeAdvertisement,
} from "@palisade/minecraft-protocol/bedrock/advertisement";
import {
  advertisementBytesMax,
  encodePong,
  type OfflinePing,
  pingBytes,
  pongHeadBytes,
} from "@palisade/minecraft-protocol/bedrock/offline-messages";
import type { Backend } from "#src/shields/backend-groups.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { BackendPings } from "./backend-pings.ts";
import type { BedrockTarget } from "#src/shields/bedrock-target.ts";
import { type PongBudgets, pongFactorMax } from "./ping-budget.ts";

/** With caching turned off, pings of this time share one answer. */
const sharedMs = 1_000;
/** How often a backend that was not asked by players is asked, up or not. */
const checkEveryMs = 10_000;
/** The player count in a finished answer is right again after this long. */
const finishedMs = 250;
/** Protocol of the game that the offline answer names: clients of another one show it all the same. */
const offlineProtocol = 800;

/** Identifies the edge to clients, in few digits: a short answer has little room. */
export const edgeGuid = BigInt(randomInt(10_000_000, 100_000_000));

/** Pings that wait for the first answer of a backend. */
const waitingMax = 16;

interface Waiting {
  readonly ping: OfflinePing;
  readonly send: (answer: Buffer) => void;
}

interface Finished {
  readonly long: Buffer;
  readonly short: Buffer;
  readonly atMs: number;
  readonly from: CompiledShield;
}

/** Answers pings for one shield on one port, from what its backends have said last. */
export class PingAnswers {
  readonly #pings: BackendPings;
  readonly #monotonicMs: () => number;
  readonly #budgets: PongBudgets;
  readonly #port: number;
  #finished: Finished | undefined;
  #waiting: Waiting[] = [];

  constructor(
    {
      pings,
      budgets,
      monotonicMs,
    }: {
      readonly pings: BackendPings;
      readonly budgets: PongBudgets;
      readonly monotonicMs: () => number;
    },
    port: number,
  ) {
    this.#pings = pings;
    this.#budgets = budgets;
    this.#monotonicMs = monotonicMs;
    this.#port = port;
  }

  /**
   * @param later gives the way to answer once a backend has answered for the first time
   * @returns `"waits"` for that, `"none"` where the ping gets no answer
   */
  answer(
    shield: CompiledShield,
    ping: OfflinePing,
    later: () => Waiting["send"],
  ): Buffer | "waits" | "none" {
    const { counters } = shield;
    const finished = this.#current(shield);
    if (finished === undefined) {
      if (this.#waiting.length === waitingMax) return "none";
      this.#waiting.push({ ping, send: later() });
      return "waits";
    }
    counters.pings += 1;
    const { long, short } = finished;
    const size = this.#budgets
      .of(shield.id)
      .take(ping.bytes, pongHeadBytes + long.length, pongHeadBytes + short.length);
    if (size === "none") return size;
    counters.statusHits += 1;
    return encodePong(ping.time, edgeGuid, finished[size]);
  }

  /** Once a second: asks backends that no player has asked about lately, and tells how they are. */
  tick(shield: CompiledShield): void {
    const nowMs = this.#monotonicMs();
    for (const { backend, target } of targetsOf(shield)) {
      if (nowMs - target.pong.askedAtMs >= checkEveryMs) this.#ask(shield, backend, target);
      this.#pings.tell(backend, target);
    }
  }

  #current(shield: CompiledShield): Finished | undefined {
    const nowMs = this.#monotonicMs();
    const known = this.#finished;
    if (known !== undefined && known.from === shield && nowMs - known.atMs < finishedMs) {
      return known;
    }
    const advertisement = this.#advertisement(shield, nowMs);
    if (advertisement === undefined) return undefined;
    const ports = { ipv4: this.#port, ipv6: this.#port };
    const shortMax = pongFactorMax * pingBytes - pongHeadBytes;
    this.#finished = {
      long: encodeAdvertisement(advertisement, ports, advertisementBytesMax),
      short: encodeAdvertisement(advertisement, undefined, shortMax),
      atMs: nowMs,
      from: shield,
    };
    return this.#finished;
  }

  /** Undefined until the first answer of a backend, or the first failure. */
  #advertisement(shield: CompiledShield, nowMs: number): Advertisement | undefined {
    if (shield.rules.status !== "active") return offlineAnswer(shield);
    const { cache } = shield;
    const freshMs = cache.enabled ? cache.freshMs : sharedMs;
    const staleMs = cache.enabled ? freshMs + cache.staleMs : checkEveryMs;
    let isWaiting = false;
    for (const { backend, target } of targetsOf(shield)) {
      const { pong, health } = target;
      const isPurged = pong.purge !== cache.purge;
      const ageMs = isPurged ? Number.POSITIVE_INFINITY : nowMs - pong.atMs;
      if (ageMs > freshMs) this.#ask(shield, backend, target);
      if (health.isDown) continue;
      if (pong.advertisement !== undefined && ageMs <= staleMs) return withPlayers(target);
      isWaiting ||= health.state === "unknown" || isPurged;
    }
    return isWaiting ? undefined : offlineAnswer(shield);
  }

  #ask(shield: CompiledShield, backend: Backend, target: BedrockTarget): void {
    this.#pings.ask(backend, target, shield.cache.purge, () => {
      this.#finished = undefined;
      for (const { ping, send } of this.#waiting.splice(0)) {
        const answer = this.answer(shield, ping, () => send);
        if (typeof answer !== "string") send(answer);
      }
    });
  }
}

function* targetsOf({ chain }: CompiledShield) {
  for (const { backends } of chain) {
    for (const backend of backends) {
      const target = backend.bedrock;
      if (target !== undefined) yield { backend, target };
    }
  }
}

/** The backend's answer, with the players who have come and left since. */
function withPlayers({ pong, players }: BedrockTarget): Advertisement | undefined {
  if (pong.advertisement === undefined) return undefined;
  const online = Math.max(0, pong.advertisement.online + players - pong.playersThen);
  return { ...pong.advertisement, online, guid: edgeGuid };
}

function offlineAnswer({ bedrockMotd: { lines, version } }: CompiledShield): Advertisement {
  const [motd = "", subMotd = ""] = lines;
  return {
    edition: "MCPE",
    motd,
    protocol: offlineProtocol,
    version,
    online: 0,
    max: 1,
    guid: edgeGuid,
    subMotd,
    gameMode: "Survival",
    gameModeId: 1,
  };
}
