/** Limits of verification, each with its unit. Deadlines are met within 200 ms. */
export const verificationLimits = {
  /** From Login Start until the player has passed. A slow line answers within 2 s, and there are few questions. */
  totalMs: 10_000,
  /** The same where the player's game asks the session server first, and then this edge does. */
  premiumTotalMs: 20_000,
  /** The same where the player falls: his game loads a world first, which takes seconds on slow machines. */
  gravityTotalMs: 20_000,
  /** From Login Start of a transferred player until his cookie is there. */
  cookieMs: 5_000,
  /** One packet: mods register some hundred channels in one. */
  frameBytesMax: 8_192,
  /** Everything a player sends while he is verified. */
  bytesMax: 16_384,
  /** Packets a player sends while he is verified. */
  packetsMax: 32,
  /** The same of one who falls, and may say each tick that he still stands. */
  fallPacketsMax: 160,
  /** Verified at once by all threads of the edge: some 4 KB each. */
  atOnceMax: 8_192,
  /** Of one shield, so that an attack on one leaves room for the others. */
  perShieldMax: 6_144,
  /** Who owes an answer for this long makes room for others: three times a slow round trip. */
  silentMs: 1_000,
  /**
   * Answers one thread decrypts in a second; made-up ones cost 0.1 ms, players' 0.2. As many as a
   * flood brings to it, since whoever finds none left is a player as likely as a bot; and so few that
   * the thread has most of its time for others.
   */
  decryptionsPerSecond: 3_000,
  /** Questions to the session server at once, and those that wait for their turn. */
  sessionCallsMax: 16,
  sessionQueueMax: 128,
  /** One question; Mojang's answer takes some 200 ms. */
  sessionCallMs: 5_000,
  /** Failures one after the other until nobody is asked any more, and for how long. */
  sessionFailuresMax: 5,
  sessionPauseMs: 15_000,
  /** Of the session server's answer. A profile with its skin takes some 2 KB. */
  sessionBytesMax: 32_768,
} as const;

export type VerificationLimits = { readonly [K in keyof typeof verificationLimits]: number };

/**
 * What one of so many threads may do of what the edge may at once. Equal parts: the kernel spreads
 * connections evenly and nobody chooses his thread, while only those of its own can make room in it.
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
