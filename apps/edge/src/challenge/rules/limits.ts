import type { Challenge } from "@palisade/login-rules/shared/verified-players";

/** Limits of verification, each with its unit. Deadlines are met within 200 ms. */
export const verificationLimits = {
  /**
   * From Login Start until the player has passed. A slow line answers within 2 s, and there are few
   * packets.
   */
  totalMs: 10_000,
  /** The same if the client, and then this edge, ask the session server. */
  premiumTotalMs: 20_000,
  /**
   * The same if the player enters the limbo: their game loads a world first, which takes seconds on
   * slow machines, and then falls for some seconds.
   */
  gravityTotalMs: 30_000,
  /** The same if the player reads a captcha. */
  captchaTotalMs: 90_000,
  /**
   * A client gives up a connection on which it hears nothing for 30 s. By the first time, a player on
   * their way to the limbo must have answered the question before it.
   */
  keepAliveEveryMs: 10_000,
  /** From Login Start of a transferred player until their cookie is there. */
  cookieMs: 5_000,
  /** One packet: mods register some hundred channels in one. */
  frameBytesMax: 8_192,
  /** Bytes a player sends during verification. */
  bytesMax: 16_384,
  /** Packets a player sends during verification. */
  packetsMax: 32,
  /** Bytes that a client is sent for each of its own, until it has answered a first question. */
  sentPerReceivedMax: 20,
  /**
   * Bytes for a player that the kernel does not take, because they do not read: a whole limbo, or
   * three pictures of a captcha.
   */
  unsentBytesMax: 49_152,
  /**
   * Both for a player in the limbo, whose game sends its position and, from 1.21.2 on, a second packet
   * in each tick, twenty times a second.
   */
  limboBytesMax: 49_152,
  limboPacketsMax: 1_500,
  /** The same for the time of a captcha, in which players hardly move. */
  captchaBytesMax: 147_456,
  captchaPacketsMax: 5_000,
  /** Verified at once by all threads of the edge: some 2 KB each. */
  atOnceMax: 8_192,
  /** The same for one shield, so that an attack on one leaves room for the others. */
  perShieldMax: 6_144,
  /**
   * A player who has not answered for this long makes room for others: three times a slow round
   * trip.
   */
  silentMs: 1_000,
  /** The same for a player who reads a captcha: most people have typed it by then. */
  readingMs: 20_000,
  /**
   * Answers one thread decrypts in a second; made-up ones cost 0.1 ms, players' 0.2. High enough
   * for a flood, because players are refused too once it is used up; low enough that the thread has
   * most of its time for other work.
   */
  decryptionsPerSecond: 3_000,
  /** Calls to the session server at once, and those that wait for their turn. */
  sessionCallsMax: 16,
  sessionQueueMax: 128,
  /** One call; Mojang's answer takes some 200 ms. */
  sessionCallMs: 5_000,
  /** Failures in a row after which no calls are made, and for how long. */
  sessionFailuresMax: 5,
  sessionPauseMs: 15_000,
  /** Size of the session server's answer. A profile with its skin takes some 2 KB. */
  sessionBytesMax: 32_768,
} as const;

export type VerificationLimits = { readonly [K in keyof typeof verificationLimits]: number };

/** A player's packets, in the whole of a verification. */
export interface PacketLimits {
  readonly frameBytesMax: number;
  readonly bytesMax: number;
  readonly packetsMax: number;
}

/** Made once for the limits of a thread: every player of a challenge has the same ones. */
export function packetLimitsOf(
  limits: VerificationLimits,
): Readonly<Record<Challenge, PacketLimits>> {
  const { frameBytesMax } = limits;
  const plain = { frameBytesMax, bytesMax: limits.bytesMax, packetsMax: limits.packetsMax };
  return {
    protocol: plain,
    premium: plain,
    gravity: {
      frameBytesMax,
      bytesMax: limits.limboBytesMax,
      packetsMax: limits.limboPacketsMax,
    },
    captcha: {
      frameBytesMax,
      bytesMax: limits.captchaBytesMax,
      packetsMax: limits.captchaPacketsMax,
    },
  };
}

/** From Login Start until such a challenge is given. */
export function totalMsOf(challenge: Challenge, limits: VerificationLimits): number {
  if (challenge === "gravity") return limits.gravityTotalMs;
  if (challenge === "captcha") return limits.captchaTotalMs;
  return challenge === "premium" ? limits.premiumTotalMs : limits.totalMs;
}

/**
 * One thread's share of the limits. The shares are equal because the kernel spreads connections
 * evenly, no client can choose its thread, and a thread can make room only among its own
 * connections.
 */
export function shareOf(limits: VerificationLimits, shares: number): VerificationLimits {
  const part = (of: number): number => Math.max(1, Math.floor(of / shares));
  return {
    ...limits,
    atOnceMax: part(limits.atOnceMax),
    perShieldMax: part(limits.perShieldMax),
    sessionCallsMax: part(limits.sessionCallsMax),
    sessionQueueMax: part(limits.sessionQueueMax),
  };
}
