import type { BackendGroupConfig } from "@palisade/contract/edge/shield-config";
import type { BedrockHealth } from "@palisade/contract/edge/telemetry";
import type { Advertisement } from "@palisade/minecraft-protocol/bedrock/advertisement";
import { BackendHealth } from "#src/routing/backends.ts";

type BackendConfig = BackendGroupConfig["backends"][number];

/** The last pong of a backend, as this thread got it. */
export interface PongSlot {
  advertisement: Advertisement | undefined;
  /** Monotonic; -Infinity before the first one. */
  atMs: number;
  /** When it was last asked, and whether an answer is being waited for. */
  askedAtMs: number;
  isAsked: boolean;
  /** Players of this edge at that time, which the pong has counted. */
  playersThen: number;
  /** As of `StatusCaching`. */
  purge: number;
}

/** How a backend takes players of Bedrock, and what this thread knows of it. */
export interface BedrockTarget {
  /** UDP. */
  readonly port: number;
  readonly proxy: BackendConfig["bedrock_proxy"];
  readonly health: BackendHealth;
  readonly pong: PongSlot;
  /** Addresses that have answered a ping as RakNet does. */
  readonly answered: Set<string>;
  /** Players of this thread there. */
  players: number;
  /** As the thread that has the shield's ports told it last; undefined before. */
  told: BedrockHealth | undefined;
}

/** @returns the one before if nothing has changed; undefined where the backend takes no such players */
export function bedrockTargetOf(
  { bedrock_port: port, bedrock_proxy: proxy }: BackendConfig,
  before: BedrockTarget | undefined,
): BedrockTarget | undefined {
  if (port === null) return undefined;
  if (before?.port === port && before.proxy === proxy) return before;
  return {
    port,
    proxy,
    health: new BackendHealth(),
    pong: {
      advertisement: undefined,
      atMs: Number.NEGATIVE_INFINITY,
      askedAtMs: Number.NEGATIVE_INFINITY,
      isAsked: false,
      playersThen: 0,
      purge: 0,
    },
    answered: new Set(),
    players: before?.players ?? 0,
    told: undefined,
  };
}
