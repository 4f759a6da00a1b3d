/** Limits of mitigation, each with its unit. Limits that owners set are in the shield's rules. */
export const mitigationLimits = {
  /** Window of the rates of sources: long enough that a whole household's joins are spread in it. */
  rateWindowMs: 10_000,
  /**
   * Logins in a window of one IPv4 address or IPv6 /64, from level `low` on. A school or a tournament
   * behind one address comes in within a minute; the owner lists its address.
   */
  addressQuiet: 20,
  /** The same during an attack, for unknown players: a join, a verification, a second try. */
  addressAttack: 5,
  /** The same for one IPv4 /24 or IPv6 /48: players of one mobile carrier share it. */
  networkQuiet: 100,
  networkAttack: 20,
  /** Window of `logins_per_second`. */
  secondMs: 1_000,
  /** Longest rejoin cooldown an owner can set. */
  cooldownMaxMs: 30_000,
  /** One connection per name: longer than a dial or a verification takes, should its end be missed. */
  nameInUseMs: 30_000,
  /**
   * A ping from the player's network counts as theirs for as long as they look at their server
   * list.
   */
  pingSeenMs: 600_000,
  /** How long a name counts as one of the shield's recent logins. */
  nameRecentMs: 600_000,
  /** Window in which new names are counted. */
  nameWindowMs: 60_000,
  /** New names in a window, of one shield, that are a burst: more than one each two seconds. */
  newNamesMax: 40,
  /** Different names of one stem (`Bot_1`, `bot22`) in a window; a family has fewer. */
  stemNamesMax: 5,
  /** Names of one beginning and length in a window, while there is an attack or a burst. */
  alikeNamesMax: 8,
} as const;

/** Slots of the shared tables, powers of two; 8 bytes each. */
export const memorySlots = {
  /** Shields with a login in a second. */
  shields: 8_192,
  /** Addresses and networks with a login in `rateWindowMs`. */
  sources: 131_072,
  /** Names and addresses in `cooldownMaxMs`. */
  cooldowns: 262_144,
  namesInUse: 32_768,
  pings: 131_072,
  names: 131_072,
  /** Stems and beginnings of names. */
  alike: 65_536,
} as const;
