import { generateKeyPairSync } from "node:crypto";
import type { RefusalReason } from "@palisade/contract/edge/plain-values";
import {
  encodeBoolean,
  encodeByteArray,
  encodeFrame,
  encodeLong,
  encodeString,
} from "@palisade/minecraft-protocol/java/fields";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { until } from "@palisade/testing/until";
import { expect } from "vitest";
import type { MitigationChange } from "./guarded-shield.ts";
import { rawLogin } from "./raw-login.ts";
import {
  listedBeginning,
  type MitigationFixture,
  signingVersion,
  usualBeginning,
  usualVersion,
  type Joiner,
} from "./fixture.ts";

export interface JoinResult {
  readonly player: string;
  /** The component of the kick; undefined for one who plays. */
  readonly kick: unknown;
}

/** A rule of mitigation, with a real player who breaks it. */
export interface Rule {
  readonly name: string;
  readonly plan?: "Pro";
  readonly off: MitigationChange;
  readonly on: MitigationChange;
  readonly reason: RefusalReason;
  /** The facts of the log entry. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly message: readonly ["general" | "mitigation", string];
  /** The owner's text in its place. */
  readonly ownText: string;
  /** False for a rule that is no mitigation: it holds in shadow mode and for the whitelist. */
  readonly isSoft: boolean;
  /** False where the rule needs an answer of the player: shadow mode asks for none. */
  readonly isForeseen?: false;
  /** The version of the server and its players. */
  readonly version: string;
  /** Joins as a player the rule refuses; they are in the game once they are admitted. */
  offend(fixture: MitigationFixture, joiner: Joiner): Promise<JoinResult>;
  /** Joins as a player the rule must admit. */
  obey(fixture: MitigationFixture, joiner: Joiner): Promise<JoinResult>;
}

/** 1.8: a login is only a name. */
const plainProtocol = 47;
const signingProtocol = 760;

interface JoiningClient {
  readonly version?: string;
  /** Behind the host in the handshake. */
  readonly marker?: string;
  /** From the server list: without it, a name like a bot's is checked first. */
  readonly pings?: boolean;
  readonly captcha?: { readonly types?: string };
}

export async function join(
  { minecraft: { edge, peers } }: MitigationFixture,
  { shield, player, from }: Joiner,
  { version = usualVersion, marker = "", pings = false, captcha }: JoiningClient = {},
): Promise<JoinResult> {
  const hostname = `${shield.domain}${marker}`;
  const game = { falls: true, greeted: true, ...(captcha && { captcha }) };
  if (pings) await peers.ping({ edge, hostname, from, version });
  const outcome = await peers.join({ edge, hostname, player, from, version, ...game });
  if (outcome.outcome === "closed") throw new Error(`${player} was cut off: ${outcome.reason}`);
  return { player, kick: outcome.outcome === "kicked" ? outcome.raw : undefined };
}

/** The first of several that come at once who is sent away, else the last. */
async function joinAtOnce(
  fixture: MitigationFixture,
  joiner: Joiner,
  count: number,
): Promise<JoinResult> {
  const players = Array.from({ length: count }, (_, at) => `${joiner.player}${"xyz"[at] ?? ""}`);
  const pages = await Promise.all(players.map((player) => join(fixture, { ...joiner, player })));
  const [first = { player: joiner.player, kick: undefined }] = pages.toReversed();
  return pages.find(({ kick }) => kick !== undefined) ?? first;
}

export function hello(
  { minecraft: { edge } }: MitigationFixture,
  { shield, player }: Pick<Joiner, "shield" | "player">,
  { protocol = plainProtocol, start = encodeLoginStart(player) } = {},
): Buffer {
  const named = { protocol, host: shield.domain, port: edge.port, intent: "login" } as const;
  return Buffer.concat([encodeHandshake(named), start]);
}

/** Login Start of 1.19.1 and 1.19.2 with a key; whose it is only the server finds out. */
function signedLogin(player: string): Buffer {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  return encodeFrame(
    0,
    encodeString(player),
    encodeBoolean(true),
    encodeLong(4_000_000_000_000n),
    encodeByteArray(publicKey.export({ type: "spki", format: "der" })),
    encodeByteArray(Buffer.alloc(512, 1)),
    encodeBoolean(false),
  );
}

const laterVersions: MitigationChange = {
  minecraft_version_range_enabled: true,
  minecraft_versions: { min: "1.20.4", max: "1.21.8" },
};

export const rules: readonly Rule[] = [
  {
    name: "Minecraft versions",
    off: { minecraft_version_range_enabled: false },
    on: laterVersions,
    reason: "invalid_version",
    facts: {},
    message: ["general", "invalid_version_msg"],
    ownText: "&4{player}&r: &n{min_version}&r – {max_version}",
    isSoft: false,
    version: signingVersion,
    offend: (fixture, joiner) => join(fixture, joiner, { version: signingVersion }),
    async obey(fixture) {
      // Behind a server that can let him in.
      const shield = await fixture.newShield({ version: usualVersion });
      await shield.set(laterVersions);
      return join(fixture, fixture.joinerAt(shield));
    },
  },
  {
    name: "max connections",
    off: { max_connections_enabled: false },
    on: { max_connections_enabled: true, max_connections: 1 },
    reason: "max_connections",
    facts: { limit: "1/s" },
    message: ["mitigation", "max_connections_msg"],
    ownText: "&eZu viele auf einmal, {player}\n&8[{trace}]",
    isSoft: true,
    version: usualVersion,
    offend: (fixture, joiner) => joinAtOnce(fixture, joiner, 3),
    // Once the second is over that those before him have filled.
    obey: (fixture, joiner) =>
      until(async () => {
        const result = await join(fixture, joiner);
        return result.kick === undefined && result;
      }),
  },
  {
    name: "rejoin cooldown",
    off: { rejoin_cooldown_enabled: false },
    on: { rejoin_cooldown_enabled: true, rejoin_cooldown: 30 },
    reason: "cooldown",
    facts: { seconds: expect.stringMatching(/^[12]?\d$|^30$/) },
    message: ["mitigation", "cooldown_msg"],
    ownText: "&bПодождите &l{seconds}&r&b с, {player}",
    isSoft: true,
    version: usualVersion,
    async offend(fixture, joiner) {
      const first = await join(fixture, joiner);
      if (first.kick !== undefined) return first;
      await fixture.minecraft.peers.quit(joiner.player);
      return join(fixture, joiner);
    },
    obey: (fixture, joiner) => join(fixture, joiner),
  },
  {
    name: "secure profiles of 1.19 to 1.19.2",
    off: { secure_profiles: false },
    on: { secure_profiles: true },
    reason: "secure_profiles",
    facts: { key: "none" },
    message: ["mitigation", "secure_profiles_msg"],
    ownText: "&d{player} has no key\n&7({trace})",
    isSoft: true,
    version: signingVersion,
    offend: (fixture, joiner) => join(fixture, joiner, { version: signingVersion }),
    async obey(fixture, joiner) {
      const start = signedLogin(joiner.player);
      const bytes = hello(fixture, joiner, { protocol: signingProtocol, start });
      const answer = await rawLogin(fixture.minecraft.edge, joiner.from, bytes);
      // An unsigned key: the server itself judges that.
      const isServers = JSON.stringify(answer).includes("multiplayer.disconnect");
      return { player: joiner.player, kick: isServers ? undefined : answer };
    },
  },
  {
    name: "secure profiles of later versions",
    off: { secure_profiles: false },
    on: { secure_profiles: true },
    reason: "secure_profiles",
    facts: { verification: "not-premium" },
    message: ["mitigation", "secure_profiles_msg"],
    ownText: "&d{player} has no account\n&7({trace})",
    isSoft: true,
    isForeseen: false,
    version: usualVersion,
    offend: (fixture, joiner) => join(fixture, joiner),
    async obey({ minecraft: { edge, peers }, sessions }, { shield, player, from }) {
      const account = sessions.account(player);
      const options = {
        edge,
        hostname: shield.domain,
        player,
        from,
        version: usualVersion,
        account,
      };
      // Verified, and told to come again.
      await peers.join(options);
      const outcome = await peers.join(options);
      return { player, kick: outcome.outcome === "joined" ? undefined : outcome };
    },
  },
  {
    name: "anti-VPN",
    plan: "Pro",
    off: { anti_vpn: false },
    on: { anti_vpn: true },
    reason: "vpn",
    facts: { list: "hosts" },
    message: ["mitigation", "vpn_msg"],
    ownText: "&cKein VPN, {player}\n&7{trace}",
    isSoft: true,
    version: usualVersion,
    offend: (fixture, joiner) =>
      join(fixture, { ...joiner, from: joiner.from.replace(usualBeginning, listedBeginning) }),
    obey: (fixture, joiner) => join(fixture, joiner),
  },
  {
    name: "anti-Forge",
    off: { anti_forge: false },
    on: { anti_forge: true },
    reason: "forge",
    facts: { client: "forge" },
    message: ["general", "forge_msg"],
    ownText: "&6Ohne Mods, {player}!\n{trace} bitte nennen",
    isSoft: true,
    version: usualVersion,
    offend: (fixture, joiner) => join(fixture, joiner, { marker: "\0FORGE" }),
    obey: (fixture, joiner) => join(fixture, joiner),
  },
  {
    name: "antibot low",
    off: { antibot_level: "disabled" },
    on: { antibot_level: "low" },
    reason: "rate",
    facts: { address: "20/10s" },
    message: ["mitigation", "max_connections_msg"],
    ownText: "&eSlowly, {player}\n&8{trace}",
    isSoft: true,
    version: usualVersion,
    async offend(fixture, joiner) {
      // In a network of its own: those around an address have a limit, too.
      const from = joiner.from.replace(/^127\.1\.\d+\.(\d+)$/, "127.6.$1.1");
      const crowd = Array.from({ length: 20 }, (_, at) => {
        const one = { shield: joiner.shield, player: `${joiner.player}_${at}` };
        return rawLogin(fixture.minecraft.edge, from, hello(fixture, one));
      });
      await Promise.all(crowd);
      return join(fixture, { ...joiner, from });
    },
    obey: (fixture, joiner) => join(fixture, joiner),
  },
  {
    name: "advanced antibot",
    off: { advanced_antibot: false },
    on: { advanced_antibot: true },
    reason: "bot_name",
    facts: { rule: "tool" },
    message: ["mitigation", "bot_name_msg"],
    ownText: "&c&l{player}&r &cis no name ({trace})",
    isSoft: true,
    version: usualVersion,
    offend: (fixture, joiner) =>
      join(fixture, { ...joiner, player: joiner.player.replace(/\D+/, "Bot_") }, { pings: true }),
    obey: (fixture, joiner) => join(fixture, joiner),
  },
];
