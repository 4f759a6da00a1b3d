import { freePort } from "@palisade/testing/free-port";
import { startPeer, type PeerProcess } from "@palisade/testing/peer-process";
import { z } from "zod";
import type { HostPort } from "../product/palisade.ts";

const minecraftVersion = "1.20.4";
const readyEvent = z.looseObject({ port: z.int() });
const statusEvent = z.looseObject({
  motd: z.string(),
  version: z.object({ name: z.string(), protocol: z.int() }),
  players: z.object({ online: z.int() }).optional(),
});

export interface GameServer extends PeerProcess {
  readonly port: number;
}

interface GameServerOptions {
  readonly atPort?: number;
  readonly version?: string;
  /** Its icon in the server list, a data URI. */
  readonly favicon?: string;
}

/** A real game server (flying-squid), in offline mode; at its port it can come back. */
export async function startGameServer(
  motd: string,
  { atPort, version = minecraftVersion, favicon }: GameServerOptions = {},
): Promise<GameServer> {
  const port = atPort ?? (await freePort());
  const peer = startPeer("server.mjs", { version, port, motd, favicon });
  return { ...peer, port: readyEvent.parse(await peer.event("ready")).port };
}

export interface PlayerOptions {
  readonly edge: HostPort;
  /** The host name that the player typed: a domain or a label. */
  readonly hostname: string;
  readonly username: string;
  /** Address of 127.0.0.0/8 the player comes from. */
  readonly from: string;
}

/** A real player (mineflayer) on the way into the server. */
export function startPlayer({ edge, hostname, username, from }: PlayerOptions): PeerProcess {
  return startPeer("client.mjs", {
    host: edge.host,
    port: edge.port,
    hostname,
    username,
    localAddress: from,
    version: minecraftVersion,
  });
}

/** Refreshes an entry of the server list once. */
export async function refreshServerList(
  edge: HostPort,
  hostname: string,
): Promise<z.infer<typeof statusEvent>> {
  const peer = startPeer("ping.mjs", {
    host: edge.host,
    port: edge.port,
    hostname,
    version: minecraftVersion,
  });
  return statusEvent.parse(await peer.event("status"));
}
