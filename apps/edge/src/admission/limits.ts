/** The edge's limits, each with its unit. Deadlines are met within 200 ms. */
export const edgeLimits = {
  /** From accept until the last byte of handshake and Login Start, or of the status request. */
  handshakeMs: 3_000,
  /** The pause after bytes that may be a whole legacy ping or the beginning of more. */
  legacyDecisionMs: 200,
  /** From the status request until the ping that ends the exchange. */
  statusMs: 8_000,
  /** From Login Start until a backend has answered the dial. */
  dialMs: 8_000,
  /**
   * From there on the sizes of a login's packets are checked for this long: more than the 30 s that
   * servers wait.
   */
  loginMs: 40_000,
  /** Players of one shield whose plan says nothing, with those who are being connected. */
  playersPerShieldMax: 10_000,
  /**
   * Connections of one such shield that have named it and have neither joined nor left; see
   * `ShieldSeats`.
   */
  halfOpenPerShieldMax: 6_144,
  /** Bytes a second of one such shield's players, both ways together. */
  bytesPerSecondPerShield: 125_000_000,
  /** Half-open connections of one shield that are being dialled, or join under a limit of sizes. */
  dialsPerShieldMax: 512,
  /**
   * Connects of one shield in a second to backends that are not known to answer, all threads
   * together; as many again for health checks.
   */
  unansweredPerSecondMax: 20,
  /** Connections of one shield's games that are not parsed, each with its backend's. */
  unparsedPerShieldMax: 4_096,
  /** For such a game, from its backend's answer to the dial until either side sends something. */
  silenceMs: 15_000,
  /** After a kick, for the client to read it and close. */
  lingerMs: 2_000,
  /** Connections without a verdict; one more takes the place of the oldest. */
  pendingMax: 8_192,
  /** Connections without a verdict of one IPv4 address or IPv6 /64. */
  pendingPerIpMax: 64,
  /** Connections of one IPv4 address or IPv6 /64, players too. */
  openPerIpMax: 512,
  /** Bytes kept in memory of a client that goes on sending while its backend is dialled. */
  heldBytesMax: 16_384,
  /** Bytes read and discarded of a client that goes on sending after its kick. */
  discardedBytesMax: 65_536,
} as const;

/**
 * Memory of the process for one connection without a verdict, whatever it has sent. With 6,000 open
 * it was 1.5 KB for a silent one, 6 with an unfinished handshake, 7 with a cookie, 2 in
 * verification and 12 with an unfinished packet there; the kernel's own buffers come on top. While
 * it is dialled a connection may hold `heldBytesMax` and one read (64 KiB) beyond it, which at most
 * `dialsPerShieldMax` of a shield do.
 */
export const pendingBytesMax = 24_576;

export type EdgeLimits = { readonly [K in keyof typeof edgeLimits]: number };
