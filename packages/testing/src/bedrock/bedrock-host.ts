import { z } from "zod";
import { type Ask, askerOf, startPeer, type PeerEvent, type PeerProcess } from "../peer-process.ts";
import type { RakNetClientOptions } from "./raknet-client.ts";
import type { RakNetServerOptions } from "./raknet-server.ts";
import type { UdpAddress } from "./udp-socket.ts";

/** Real Bedrock servers and players in one process (tests/peers/bedrock-host.mjs). */

const servedAnswer = z.looseObject({ port: z.int() });
const connectedEvent = z.looseObject({ address: z.string() });
const joinedEvent = z.looseObject({
  player: z.string(),
  /** Its connection's source, as the server sees it: `127.0.0.1:4711`. */
  address: z.string(),
  protocol: z.int(),
});
const saidEvent = z.looseObject({ player: z.string(), message: z.string() });
const leftEvent = z.looseObject({ player: z.string() });
const endedEvent = z.looseObject({ message: z.string().optional(), reason: z.string().optional() });

const joinAnswer = z.discriminatedUnion("outcome", [
  z.looseObject({
    outcome: z.literal("joined"),
    source: z.object({ host: z.string(), port: z.int() }),
    /** Replies to its first requests, each of which may bring another cookie. */
    cookies: z.int(),
    mtu: z.int(),
  }),
  /** By the game's own packet: the player reads `message`. */
  z.looseObject({ outcome: z.literal("kicked"), message: z.string(), reason: z.string() }),
  /** By an answer to RakNet's handshake, such as `banned`. */
  z.looseObject({ outcome: z.literal("refused"), reason: z.string() }),
  z.looseObject({ outcome: z.literal("closed"), reason: z.string().optional() }),
]);
export type BedrockJoinOutcome = z.infer<typeof joinAnswer>;

/** Versions that bedrock-protocol speaks, far apart: RakNet's protocol is 11 in all of them. */
export const bedrockVersions = ["1.20.0", "1.21.50", "1.26.45"] as const;
const usualVersion = "1.21.50";

export interface BedrockServerOptions {
  readonly version?: string;
  readonly motd?: { readonly motd: string; readonly levelName: string };
  readonly host?: string;
  /** By default one that is free. `raknet-node` needs one. */
  readonly port?: number;
  /** Our RakNet server with these options, or `raknet-node`: written by others, without cookies. */
  readonly raknet?: Pick<RakNetServerOptions, "hasCookie" | "mtuMax" | "silenceMs"> | "raknet-node";
}

export interface BedrockServer {
  readonly name: string;
  readonly address: UdpAddress;
  /** Connections of RakNet, also those that never logged in. */
  connections(): z.infer<typeof connectedEvent>[];
  joins(): z.infer<typeof joinedEvent>[];
  said(): z.infer<typeof saidEvent>[];
  /** Names of those who are in the game. */
  players(): string[];
  kick(player: string, text: string): Promise<void>;
  /** Says goodbye to the players. */
  stop(): Promise<void>;
  /** Falls silent at once. */
  crash(): Promise<void>;
}

export interface BedrockJoinOptions {
  readonly player: string;
  readonly to: UdpAddress;
  readonly version?: string;
  /** Such as the local address `from`, or an `impairment`. */
  readonly raknet?: Omit<RakNetClientOptions, "host" | "port">;
}

export interface BedrockHost {
  serve(name: string, options?: BedrockServerOptions): Promise<BedrockServer>;
  join(options: BedrockJoinOptions): Promise<BedrockJoinOutcome>;
  /** Says a text in the chat, and waits until the server has repeated it to the player. */
  echo(player: string, text: string): Promise<void>;
  quit(player: string): Promise<void>;
  /** Ends the player's game without a word. */
  crash(player: string): Promise<void>;
  /** How the player's game ended, once it has. */
  gone(player: string): Promise<z.infer<typeof endedEvent>>;
  end(): Promise<void>;
}

export async function startBedrockHost(): Promise<BedrockHost> {
  const peer = startPeer("bedrock-host.mjs", {});
  await peer.event("ready");
  const ask = askerOf(peer);
  return {
    async serve(name, { version = usualVersion, host = "127.0.0.1", port = 0, ...rest } = {}) {
      // A server that is started again under its name begins without a past.
      const before = peer.events.length;
      const answer = await ask("serve", { name, version, host, port, ...rest });
      const address = { host, port: servedAnswer.parse(answer).port };
      return hosted({ peer, ask, name, address, before });
    },
    join: async ({ to, version = usualVersion, ...rest }) =>
      joinAnswer.parse(await ask("join", { ...to, version, ...rest })),
    echo: async (player, text) => void (await ask("echo", { player, text })),
    quit: async (player) => void (await ask("quit", { player })),
    crash: async (player) => void (await ask("crash", { player })),
    gone: async (player) =>
      endedEvent.parse(await peer.event("ended", (event) => event["player"] === player)),
    end: () => peer.kill(),
  };
}

interface Hosted {
  readonly peer: PeerProcess;
  readonly ask: Ask;
  readonly name: string;
  readonly address: UdpAddress;
  readonly before: number;
}

function hosted({ peer, ask, name, address, before }: Hosted): BedrockServer {
  const occurred = (event: string): PeerEvent[] =>
    peer.events.slice(before).filter((each) => each.event === event && each["server"] === name);
  return {
    name,
    address,
    connections: () => occurred("connected").map((event) => connectedEvent.parse(event)),
    joins: () => occurred("joined").map((event) => joinedEvent.parse(event)),
    said: () => occurred("said").map((event) => saidEvent.parse(event)),
    players() {
      const present = new Set<string>();
      for (const event of peer.events.slice(before)) {
        if (event["server"] !== name) continue;
        if (event.event === "joined") present.add(joinedEvent.parse(event).player);
        if (event.event === "left") present.delete(leftEvent.parse(event).player);
      }
      return [...present];
    },
    kick: async (player, text) => void (await ask("kick", { name, player, text })),
    stop: async () => void (await ask("stop", { name })),
    crash: async () => void (await ask("stop", { name, crashes: true })),
  };
}
