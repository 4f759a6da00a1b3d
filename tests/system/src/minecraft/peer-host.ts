import { freePort } from "@palisade/testing/free-port";
import {
  type Ask,
  askerOf,
  startPeer,
  type PeerEvent,
  type PeerProcess,
} from "@palisade/testing/peer-process";
import { z } from "zod";
import type { HostPort } from "../product/palisade.ts";

/** Many real servers and players in one process (tests/peers/host.mjs). */

const connectedEvent = z.discriminatedUnion("kind", [
  /** No PROXY header is wanted here. */
  z.looseObject({ kind: z.literal("plain") }),
  z.looseObject({ kind: z.literal("local") }),
  z.looseObject({ kind: z.literal("player"), address: z.string(), port: z.int() }),
  z.looseObject({ kind: z.literal("refused"), why: z.string() }),
]);
const pingedEvent = z.looseObject({ host: z.string(), protocol: z.int() });
const joinedEvent = z.looseObject({
  player: z.string(),
  host: z.string(),
  intent: z.int(),
  uuid: z.string(),
  isEncrypted: z.boolean(),
});
const leftEvent = z.looseObject({ player: z.string() });
const endedEvent = z.looseObject({ text: z.string().optional(), reason: z.string().optional() });
const servedAnswer = z.looseObject({ port: z.int() });

/** The status as the server list gets it; fields that some servers leave out are optional. */
const statusAnswer = z.looseObject({
  ponged: z.boolean(),
  raw: z.looseObject({
    description: z.unknown(),
    version: z.looseObject({ name: z.string(), protocol: z.int() }),
    favicon: z.string().optional(),
    players: z
      .looseObject({
        online: z.int(),
        max: z.int(),
        sample: z.array(z.looseObject({ name: z.string() })).optional(),
      })
      .optional(),
  }),
  motd: z.string(),
});
export type ListEntry = z.infer<typeof statusAnswer>;

/** For every join: how often the player was transferred, and the cookies they were given, in hex. */
const travels = { transfers: z.int(), cookies: z.record(z.string(), z.string()) };

const joinAnswer = z.discriminatedUnion("outcome", [
  z.looseObject({
    ...travels,
    outcome: z.literal("joined"),
    /** The address and port from which the player connects. */
    source: z.object({ address: z.string(), port: z.int() }),
  }),
  z.looseObject({
    ...travels,
    outcome: z.literal("kicked"),
    state: z.string(),
    raw: z.unknown(),
    text: z.string(),
  }),
  z.looseObject({ ...travels, outcome: z.literal("closed"), reason: z.string().optional() }),
]);
export type JoinOutcome = z.infer<typeof joinAnswer>;
const echoAnswer = z.looseObject({ isEncrypted: z.boolean() });

/** The credentials of a player known to the session server. */
export interface Account {
  /** 32 hexadecimal digits. */
  readonly id: string;
  readonly token: string;
  /** URL of the session server. */
  readonly sessionServer: string;
  /** PEM; sent with Login Start by 1.19 to 1.19.2. */
  readonly profileKey?: string;
}

export interface ServerOptions {
  readonly version?: string;
  readonly motd?: string;
  readonly program?: "minecraft-protocol" | "flying-squid";
  /** Online mode, of `minecraft-protocol` only: accounts are asked for at this port of loopback. */
  readonly sessionPort?: number;
  /** Closes whatever does not begin with a whole PROXY v2 header. */
  readonly proxy?: boolean;
  readonly atPort?: number;
  readonly favicon?: string;
  readonly maxPlayers?: number;
  /** Sends every player away. */
  readonly refuse?: { readonly state: "login" | "configuration"; readonly text: string };
  readonly sample?: readonly { readonly name: string; readonly id: string }[];
}

export interface HostedServer {
  readonly name: string;
  readonly port: number;
  connections(): z.infer<typeof connectedEvent>[];
  /** Status requests, those of an edge's checks among them. */
  pings(): z.infer<typeof pingedEvent>[];
  joins(): z.infer<typeof joinedEvent>[];
  players(): string[];
  kick(player: string, text: string): Promise<void>;
  /** At once, as a crash: its players lose their connections. */
  stop(): Promise<void>;
}

export interface ConnectOptions {
  readonly edge: HostPort;
  /** The host name that the player typed, or the one an SRV record named. */
  readonly hostname: string;
  readonly version?: string;
  /** Address of 127.0.0.0/8 the player comes from. */
  readonly from?: string;
  /** The bytes that a proxy on the way sends before the client's own, in hex. */
  readonly ahead?: string;
}

/** A code that no captcha has. */
export const wrongCode = { types: "XXXX" } as const;

export interface JoinOptions extends ConnectOptions {
  readonly player: string;
  readonly program?: "minecraft-protocol" | "mineflayer";
  /** For mineflayer: without it, its player never falls. */
  readonly physics?: boolean;
  readonly intent?: "login" | "transfer";
  readonly account?: Account | undefined;
  /** minecraft-protocol moves in the edge's world as a game does; mineflayer always does. */
  readonly falls?: boolean;
  /** Has joined once the server greets him: before that he may have been in a world of the edge's. */
  readonly greeted?: boolean;
  /** Solves a captcha, as text if the shield allows it, or types another code each time, as `wrongCode`. */
  readonly captcha?: { readonly types?: string };
  /** In hex, of an earlier join. */
  readonly cookies?: Readonly<Record<string, string>>;
}

export interface PeerHost {
  serve(name: string, wish?: ServerOptions): Promise<HostedServer>;
  ping(target: ConnectOptions): Promise<ListEntry>;
  join(wish: JoinOptions): Promise<JoinOutcome>;
  /** Waits until the server has sent the text back to the player. */
  echo(player: string, text: string): Promise<{ readonly isEncrypted: boolean }>;
  quit(player: string): Promise<void>;
  /** How the player's game ended, once it has. */
  gone(player: string): Promise<z.infer<typeof endedEvent>>;
  end(): Promise<void>;
}

/** Has the data of the game, all packets, and is quick to load. */
const usualVersion = "1.20.4";

export async function startPeerHost(): Promise<PeerHost> {
  const peer = startPeer("host.mjs", {});
  await peer.event("ready");
  const ask = askerOf(peer);
  return {
    async serve(name, { atPort, version = usualVersion, ...rest } = {}) {
      const options = { name, port: atPort ?? (await freePort()), version, ...rest };
      const { port } = servedAnswer.parse(await ask("serve", options));
      return hosted(peer, ask, name, port);
    },
    ping: async (options) => statusAnswer.parse(await ask("ping", targetOf(options))),
    join: async (options) =>
      joinAnswer.parse(await ask("join", { ...options, ...targetOf(options) })),
    echo: async (player, text) => echoAnswer.parse(await ask("echo", { player, text })),
    quit: async (player) => void (await ask("quit", { player })),
    gone: async (player) =>
      endedEvent.parse(await peer.event("ended", (event) => event["player"] === player)),
    end: () => peer.kill(),
  };
}

function hosted(peer: PeerProcess, ask: Ask, name: string, port: number): HostedServer {
  // A server that is started again under its name begins without a past.
  const before = peer.events.length;
  const occurred = (event: string): PeerEvent[] =>
    peer.events.slice(before).filter((each) => each.event === event && each["server"] === name);
  const joins = () => occurred("joined").map((event) => joinedEvent.parse(event));
  return {
    name,
    port,
    connections: () => occurred("connected").map((event) => connectedEvent.parse(event)),
    pings: () => occurred("pinged").map((event) => pingedEvent.parse(event)),
    joins,
    players() {
      const gone = new Set(occurred("left").map((event) => leftEvent.parse(event).player));
      return joins().flatMap(({ player }) => (gone.has(player) ? [] : [player]));
    },
    kick: async (player, text) => void (await ask("kick", { name, player, text })),
    stop: async () => void (await ask("stop", { name })),
  };
}

function targetOf({ edge, hostname, version = usualVersion, from, ahead }: ConnectOptions): object {
  return { host: edge.host, port: edge.port, hostname, version, localAddress: from, ahead };
}
