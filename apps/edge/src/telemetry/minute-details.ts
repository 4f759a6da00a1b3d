import { hash } from "node:crypto";
import type { AddressDatabases, Place } from "@palisade/address-databases/address-databases";
import {
  networkNameCharactersMax,
  sketchIndexBits,
  sketchRankMax,
  topsPerMinuteMax,
  type MinuteDetails,
} from "@palisade/contract/edge/plain-values";

/** The operator's databases tell the countries and networks of players. */
export type PlaceLookup = Pick<AddressDatabases, "placeOf" | "hasCountries" | "hasNetworks">;

export const noPlaces: PlaceLookup = {
  hasCountries: false,
  hasNetworks: false,
  placeOf: () => ({ country: null, asn: null, network: null }),
};

/** A player who reached a backend, as a worker tells of them. */
export interface PlayerJoin {
  readonly shieldId: string;
  /** As the client says. */
  readonly player: string;
  /** Of Java; null: a player of Bedrock, whose numbers are others. */
  readonly protocol: number | null;
  readonly ip: string;
}

/** Counts of one shield besides its plain numbers; in the main thread only. */
export class DetailCounters {
  #connectionsMax = 0;
  #checks = 0;
  #checksUp = 0;
  #latencyMs = 0;
  readonly #tops = new Map<string, number>();
  /** Highest rank by register. */
  readonly #sketch = new Map<number, number>();

  get isEmpty(): boolean {
    return this.#connectionsMax === 0 && this.#checks === 0 && this.#sketch.size === 0;
  }

  /** Logins of one second. */
  countSecond(logins: number): void {
    this.#connectionsMax = Math.max(this.#connectionsMax, logins);
  }

  /** @param latencyMs of a check that succeeded */
  countCheck(latencyMs: number | undefined): void {
    this.#checks++;
    if (latencyMs === undefined) return;
    this.#checksUp++;
    this.#latencyMs += Math.max(0, Math.round(latencyMs));
  }

  countJoin(join: PlayerJoin, places: PlaceLookup): void {
    if (join.protocol !== null) this.#addTop("p:", String(join.protocol));
    const place = places.placeOf(join.ip);
    if (places.hasCountries) this.#addTop("c:", place.country ?? "");
    if (places.hasNetworks) this.#addTop("n:", networkLabel(place));
    const player = playerHash(join);
    const register = player >>> (32 - sketchIndexBits);
    const rank = Math.min(Math.clz32(player << sketchIndexBits) + 1, sketchRankMax);
    this.#sketch.set(register, Math.max(this.#sketch.get(register) ?? 0, rank));
  }

  /** Takes the counts; undefined if there are none. */
  take(attackBytes: number): MinuteDetails | undefined {
    if (this.isEmpty && attackBytes === 0) return undefined;
    const details: MinuteDetails = {
      attack_bytes: attackBytes,
      connections_max: this.#connectionsMax,
      checks: this.#checks,
      checks_up: this.#checksUp,
      latency_ms: this.#latencyMs,
      tops: [...this.#tops],
      sketch: [...this.#sketch].map(([register, rank]) => register * 16 + rank),
    };
    this.#connectionsMax = this.#checks = this.#checksUp = this.#latencyMs = 0;
    this.#tops.clear();
    this.#sketch.clear();
    return details;
  }

  /** Clients choose their protocol number, so the list is bounded. */
  #addTop(kind: string, name: string): void {
    const key = kind + name;
    const isRoom = this.#tops.has(key) || this.#tops.size < topsPerMinuteMax;
    const place = isRoom ? key : kind;
    this.#tops.set(place, (this.#tops.get(place) ?? 0) + 1);
  }
}

/** Empty: the databases do not know the network. */
function networkLabel({ asn, network }: Place): string {
  if (asn === null) return "";
  const name = (network ?? "").replace(/[^\x20-\x7e]/g, "");
  return `${asn} ${name.slice(0, networkNameCharactersMax)}`;
}

/** Alike on all edges, whatever case the player's name is written in. */
function playerHash({ shieldId, player }: PlayerJoin): number {
  return hash("sha256", `${shieldId} ${player.toLowerCase()}`, "buffer").readUInt32BE();
}
