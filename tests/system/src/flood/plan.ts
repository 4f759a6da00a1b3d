/** The parts of a flood and their addresses, all in separate network namespaces. */

/** `refused`: the owner has blacklisted the bots. The others are AntiBot levels. */
export const floodLevels = ["refused", "disabled", "low", "medium", "high", "extreme"] as const;
export type FloodLevel = (typeof floodLevels)[number];

/**
 * `wide`: each bot has its own network, every fourth uses IPv6, and each comes so rarely that it is
 * never banned: only the level stops them. `dense`: bots of neighbouring addresses, which are banned
 * within seconds.
 */
export const botSpreads = ["wide", "dense"] as const;
export type BotSpread = (typeof botSpreads)[number];

/** Behaviours of bots, used in turn. */
export const botKinds = [
  /** Sends handshake and login, then nothing. */
  "login",
  /** Sends only a handshake. */
  "silent",
  /** Leaves as soon as it has sent its login. */
  "early",
  /** Pretends to be transferred and always sends the same forged cookie. */
  "cookie",
  /** Answers the encryption request with forged bytes. */
  "encryption",
] as const;
export type BotKind = (typeof botKinds)[number];

/**
 * Clients of 1.21.4 are transferred after their verification, the others have to rejoin. At level extreme
 * all solve a captcha as text.
 */
export const clientVersions = ["1.20.4", "1.21.4", "1.12.2", "1.8.8"] as const;
export type ClientVersion = (typeof clientVersions)[number];

export interface FloodPlan {
  readonly level: FloodLevel;
  /** Duration of each flood. */
  readonly seconds: number;
  /** Floods one after the other: memory that the second needs beyond the first has leaked. */
  readonly floods: number;
  /** Time before the first flood, for comparison. */
  readonly quietSeconds: number;
  /** Time after each flood. */
  readonly restSeconds: number;
  readonly botsPerSecond: number;
  readonly spread: BotSpread;
  /** Number of bot addresses, at most `botAddressesMax` of the spread. */
  readonly sources: number;
  /** Each address pings before its first login, as players do. */
  readonly pings: boolean;
  readonly kinds: readonly BotKind[];
  readonly kernel: "auto" | "off";
  /** Worker threads of the edge; undefined for its default. */
  readonly workers?: number | undefined;
  /** Version of the real clients and of their server. */
  readonly version: ClientVersion;
  /** Time between joins of real clients during a flood. */
  readonly joinEveryMs: number;
  /** Players that are connected already; each sends 20 packets a second and gets them back. */
  readonly players: number;
}

/**
 * With 5,000 logins a second, each of this many wide addresses logs in three times in a window of
 * AntiBot's rates, and each /24 of this many dense addresses exceeds the rate that is banned.
 */
export const botAddressesMax: Readonly<Record<BotSpread, number>> = { wide: 16_384, dense: 8_192 };
/** CIDR ranges of all bots, within the networks of the clients' namespace. */
export const botNetworks = ["10.64.0.0/19", "10.80.0.0/12", "10.96.0.0/11", "fd64::/32"];

export function botAddress(n: number, spread: BotSpread): string {
  if (spread === "dense") return `10.64.${n >> 8}.${n & 255}`;
  const four = n >> 2;
  // Each has its own /48, or /24.
  if (n % 4 === 3) return `fd64:0:${four.toString(16)}::1`;
  const network = 3 * four + (n % 4);
  return `10.${80 + (network >> 8)}.${network & 255}.7`;
}

/** Real clients use 128 other networks in turn, so that limits of a /24 affect only bots. */
export function clientAddress(n: number): string {
  return `10.64.${128 + (n & 127)}.${(n >> 7) & 255}`;
}

export const clientsAddress = "10.63.0.1";
/** These ports are free, because nothing else runs in these namespaces. */
export const ports = { echo: 25_570, game: 25_571, sessions: 25_572 } as const;
/** Address of the session server for the real clients' accounts. */
export const sessionServer = { host: clientsAddress, port: ports.sessions } as const;
export const hosts = { game: "play.flood.example.org", echo: "echo.flood.example.org" } as const;

/** Logins a second of the game's shield beyond which it is under attack. */
export const attackThreshold = 100;

/** The owner's message to players who were verified. */
export const rejoinText = "Verified, please rejoin";
