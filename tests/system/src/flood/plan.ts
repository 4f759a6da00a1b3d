/** What a flood is made of, and where its parts are: all in namespaces of their own. */

/** `refused`: the owner has blacklisted the bots; the others are AntiBot levels. */
export const floodLevels = ["refused", "disabled", "low", "medium", "high", "extreme"] as const;
export type FloodLevel = (typeof floodLevels)[number];

/**
 * `wide`: each bot from a network of its own, every fourth by IPv6, and seldom enough to be banned
 * by nothing: what stops them is the level. `dense`: neighbours, who are banned within seconds.
 */
export const botSpreads = ["wide", "dense"] as const;
export type BotSpread = (typeof botSpreads)[number];

/** What bots do, in turn. */
export const botKinds = [
  /** Handshake and login, then nothing, whatever is asked. */
  "login",
  /** A handshake only. */
  "silent",
  /** Leaves as soon as it has sent its login. */
  "early",
  /** Comes as if transferred and shows the same made-up cookie each time it is asked. */
  "cookie",
  /** Answers the question for an account with what it never encrypted. */
  "encryption",
] as const;
export type BotKind = (typeof botKinds)[number];

/**
 * Those of 1.20.4 are told to rejoin once they are verified, those of 1.21.4 are sent back; at level
 * extreme both prove an account, and those of 1.8.8 and 1.12.2 fall in a world of the edge's.
 */
export const clientVersions = ["1.20.4", "1.21.4", "1.12.2", "1.8.8"] as const;
export type ClientVersion = (typeof clientVersions)[number];

export interface FloodPlan {
  readonly level: FloodLevel;
  /** Of each flood. */
  readonly seconds: number;
  /** One after the other: what the second needs beyond the first has leaked. */
  readonly floods: number;
  /** Before the first, to compare with. */
  readonly quietSeconds: number;
  /** After each. */
  readonly restSeconds: number;
  readonly botsPerSecond: number;
  readonly spread: BotSpread;
  /** Different addresses of bots, at most `botAddressesMax` of the spread. */
  readonly sources: number;
  /** Each address has looked at the server list before its first login, as players have. */
  readonly pings: boolean;
  readonly kinds: readonly BotKind[];
  readonly kernel: "auto" | "off";
  /** Threads of the edge that take players; undefined: as many as it has by default. */
  readonly workers?: number | undefined;
  /** Of the real clients, and of their server. */
  readonly version: ClientVersion;
  /** Real clients join this often while it lasts. */
  readonly joinEveryMs: number;
  /** Players who are there already, each with 20 packets a second there and back. */
  readonly players: number;
}

/**
 * Of 5,000 a second each of so many wide ones logs in three times in a window of AntiBot's rates,
 * and each /24 of so many dense ones more often than is banned.
 */
export const botAddressesMax: Readonly<Record<BotSpread, number>> = { wide: 16_384, dense: 8_192 };
/** CIDRs of all bots; within the networks that the world has. */
export const botNetworks = ["10.64.0.0/19", "10.80.0.0/12", "10.96.0.0/11", "fd64::/32"];

export function botAddress(n: number, spread: BotSpread): string {
  if (spread === "dense") return `10.64.${n >> 8}.${n & 255}`;
  const four = n >> 2;
  // A /48 of its own, or a /24.
  if (n % 4 === 3) return `fd64:0:${four.toString(16)}::1`;
  const network = 3 * four + (n % 4);
  return `10.${80 + (network >> 8)}.${network & 255}.7`;
}

/** Real clients come from elsewhere, and from 128 networks in turn: limits of a /24 are for bots. */
export function clientAddress(n: number): string {
  return `10.64.${128 + (n & 127)}.${(n >> 7) & 255}`;
}

export const clientsAddress = "10.63.0.1";
/** Free, since nobody else is in these namespaces. */
export const ports = { echo: 25_570, game: 25_571, sessions: 25_572 } as const;
/** Where real clients' accounts are asked for. */
export const sessionServer = { host: clientsAddress, port: ports.sessions } as const;
export const hosts = { game: "play.flood.example.org", echo: "echo.flood.example.org" } as const;

/** Logins a second of the game's shield beyond which it is under attack. */
export const attackThreshold = 100;

/** What the owner has players told who were verified. */
export const rejoinText = "Verified, please rejoin";
