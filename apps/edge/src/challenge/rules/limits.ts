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
   * The same if the player falls: their game loads a world first, which takes seconds on slow
   * machines.
   */
  gravityTotalMs: 20_000,
  /** From Login Start of a transferred player until their cookie is there. */
  cookieMs: 5_000,
  /** One packet: mods register some hundred channels in one. */
  frameBytesMax: 8_192,
  /** Bytes a player sends during verification. */
  bytesMax: 16_384,
  /** Packets a player sends during verification. */
  packetsMax: 32,
  /** The same for a falling player, whose game may send its position each tick. */
  fallPacketsMax: 160,
  /** Verified at once by all threads of the edge: some 4 KB each. */
  atOnceMax: 8_192,
  /** The same for one shield, so that an attack on one leaves room for the others. */
  perShieldMax: 6_144,
  /**
   * A player who has not answered for this long makes room for others: three times a slow round
   * trip.
   */
  silentMs: 1_000,
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
