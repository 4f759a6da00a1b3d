import type { AntibotLevel } from "@palisade/contract/edge/plain-values";
import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import { componentFromText } from "@palisade/minecraft-protocol/java/chat";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginDisconnect, encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { statusRequest } from "@palisade/minecraft-protocol/java/status";
import { atLeast } from "@palisade/minecraft-protocol/java/versions";
import {
  sampleBackend,
  sampleDomain,
  sampleGroup,
  sampleShield,
} from "@palisade/testing/sample-shield";

/** Minecraft 1.21. */
export const protocol = 767;

const domains = {
  open: "play.bench.example.org",
  /** Like `open`, with a backend of its own. */
  second: "second.bench.example.org",
  closed: "closed.bench.example.org",
  /** Logins of an address are counted. */
  counted: "counted.bench.example.org",
  /** Unknown players are verified. */
  verified: "verified.bench.example.org",
} as const;

/** The zeros are replaced by the number of the player. */
export const playerName = "player00000";

function handshake(shield: keyof typeof domains, intent: "status" | "login"): Buffer {
  return encodeHandshake({ protocol, host: domains[shield], port: 25_565, intent });
}

/** Packets of clients, in one segment as clients send them. */
export const requests = {
  status: Buffer.concat([handshake("open", "status"), statusRequest]),
  closedStatus: Buffer.concat([handshake("closed", "status"), statusRequest]),
  /** To the shield that refuses everyone. */
  refused: Buffer.concat([
    handshake("closed", "login"),
    encodeLoginStart("Steve", Buffer.alloc(16)),
  ]),
  login: Buffer.concat([
    handshake("open", "login"),
    encodeLoginStart(playerName, Buffer.alloc(16)),
  ]),
  secondLogin: Buffer.concat([
    handshake("second", "login"),
    encodeLoginStart(playerName, Buffer.alloc(16)),
  ]),
  /** To the shield that counts the logins of an address. */
  counted: Buffer.concat([
    handshake("counted", "login"),
    encodeLoginStart("Steve", Buffer.alloc(16)),
  ]),
} as const;

/** A login to the shield that verifies. */
export function strangersLogin(name: string): Buffer {
  return Buffer.concat([handshake("verified", "login"), encodeLoginStart(name, Buffer.alloc(16))]);
}

/** The text for every refused player. */
const refusal =
  "§cYou are blacklisted on this server.\n§7Contact its owner if you disagree.\n§8{trace}";

/** @param trace of 8 characters, in place of the code that the edge makes for each player */
export function refusalPacket(trace: string): Buffer {
  const component = JSON.stringify(componentFromText(refusal));
  return encodeLoginDisconnect(component.replace("{trace}", trace));
}

/** @param closedPort backend of the shield that refuses everyone; it answers pings */
export function benchShields(backendPort: number, closedPort = backendPort): ShieldConfig[] {
  const open = shield(1, domains.open, backendPort);
  const closed = shield(2, domains.closed, closedPort);
  return [open, { ...closed, lists: { ...closed.lists, blacklist: ["127.0.0.0/8"] } }];
}

/** A second shield without protection. */
export function secondShield(backendPort: number): ShieldConfig {
  return shield(5, domains.second, backendPort);
}

/** Shields without running backends, so that only the edge's own work is measured. */
export function protectedShields(): ShieldConfig[] {
  const nowhere = 9;
  const counted = shield(3, domains.counted, nowhere);
  const verified = shield(4, domains.verified, nowhere);
  // The few logins within the limit get the same text.
  const messages = { ...counted.messages, max_connections: refusal, offline_kick: refusal };
  return [
    { ...counted, messages, mitigation: { ...counted.mitigation, antibot: "low" } },
    { ...verified, mitigation: { ...verified.mitigation, antibot: "high" } },
  ];
}

/** The check of one shield may have three quarters of an edge's places, so each level has two shields. */
const checkedShields = 2;

/** The names of the shields that check at this level, which take players in turn. */
export function checkedHost(level: AntibotLevel, n = 0): string {
  return `${level}${n % checkedShields}.bench.example.org`;
}

/** A player who fails a check reads it. */
export const checkFailed = "§eYou did not pass the check.\n§7Please join again.";

/**
 * Shields that check every unknown player at this level, without running backends.
 *
 * @param text for those who fail
 */
export function checkingShields(level: AntibotLevel, text = checkFailed): ShieldConfig[] {
  return Array.from({ length: checkedShields }, (_, n) => {
    const plain = shield(10 + n, checkedHost(level, n), 9);
    const messages = { ...plain.messages, bot_check: text };
    return { ...plain, messages, mitigation: { ...plain.mitigation, antibot: level } };
  });
}

const syllables = ["ba", "de", "fi", "go", "lu", "ma", "ne", "ri", "so", "tu"];
const syllablesPerName = 5;

/** First bytes of new players at these shields in turn. Each has a name of its own that looks like a person's. */
export function checkedLogins(level: AntibotLevel, from: number, count: number): Buffer[] {
  return Array.from({ length: count }, (_, n) => {
    const digits = [...String(from + n).padStart(syllablesPerName, "0")];
    const name = digits.map((digit) => syllables[Number(digit)]).join("");
    return loginAs(name, { protocol, host: checkedHost(level, n) });
  });
}

/** Handshake and Login Start of a client of any version, as one segment. */
export function loginAs(name: string, client: { protocol: number; host: string }): Buffer {
  const { protocol: number } = client;
  const hello = encodeHandshake({ ...client, port: 25_565, intent: "login" });
  return Buffer.concat([hello, encodeLoginStart(name, loginStartTail(number))]);
}

/** The fields behind the name: no key of a profile, then the UUID if the version says whether there is one. */
function loginStartTail(number: number): Uint8Array {
  if (atLeast(number, "1.20.2")) return new Uint8Array(16);
  if (!atLeast(number, "1.19")) return new Uint8Array(0);
  return new Uint8Array(atLeast(number, "1.19.3") || !atLeast(number, "1.19.1") ? 1 : 2);
}

/** A shield without protection that Bedrock players reach by a port of its own. */
export function bedrockShield(port: number, backendPort: number): ShieldConfig {
  const plain = shield(6, "bedrock.bench.example.org", backendPort);
  const [group] = plain.groups;
  if (group === undefined) throw new Error("the sample shield has no group");
  const backends = group.backends.map((each) => ({ ...each, bedrock_port: backendPort }));
  return {
    ...plain,
    bedrock: { ports: [port], only_in: [] },
    groups: [{ ...group, backends }],
    shares: { ...plain.shares, players: 20_000 },
  };
}

/** The domain of shield n; the number has six digits. */
function numberedDomain(n: number): string {
  return `play${String(n).padStart(6, "0")}.bench.example.org`;
}

/** `count` shields with one domain each; backends' answers stay in the cache for as long as possible. */
export function* manyShields(count: number, backendPort: number): Generator<ShieldConfig> {
  for (let n = 1; n <= count; n++) {
    const plain = shield(n, numberedDomain(n), backendPort);
    yield {
      ...plain,
      status_cache: { ...plain.status_cache, fresh_ms: 3_600_000, stale_ms: 3_600_000 },
    };
  }
}

/** A ping of one of them as hex, with ".." for each digit of its number. */
export function numberedPing(): string {
  const host = numberedDomain(0);
  const hello = encodeHandshake({ protocol, host, port: 25_565, intent: "status" });
  const digits = Buffer.from("000000").toString("hex");
  const bytes = Buffer.concat([hello, statusRequest]).toString("hex");
  return bytes.replace(digits, "..".repeat(6));
}

function shield(n: number, domain: string, backendPort: number): ShieldConfig {
  const id = (kind: number): string =>
    `0190a000-0000-7000-8${kind}00-${String(n).padStart(12, "0")}`;
  const plain = sampleShield();
  return {
    ...plain,
    shield_id: id(0),
    label: `bench${n}.gs.localhost`,
    domains: [sampleDomain(domain)],
    groups: [{ ...sampleGroup({ ...sampleBackend(backendPort), id: id(2) }), id: id(1) }],
    messages: { ...plain.messages, blacklist: refusal },
  };
}
