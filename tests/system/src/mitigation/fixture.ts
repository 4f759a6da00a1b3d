import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { freePort } from "@palisade/testing/free-port";
import { startMinecraftFixture, type MinecraftFixture } from "../minecraft/fixture.ts";
import { type SessionServer, startSessionServer } from "../verification/session-server.ts";
import { buyGuarded, type GuardedShield } from "./guarded-shield.ts";

/** The whole product with servers, a session server, and shields that want something of players. */
export interface MitigationFixture {
  readonly minecraft: MinecraftFixture;
  readonly sessions: SessionServer;
  /** In front of the server of a version, or of whatever is on the port. */
  newShield(options?: ShieldOptions): Promise<GuardedShield>;
  /** In front of the server of that version, and asking nothing of anybody. */
  neighbourOf(version: string): GuardedShield;
  /** A player with a new name and, where no address is given, from a new address. */
  joinerAt(shield: GuardedShield, from?: string): Joiner;
  end(): Promise<void>;
}

export interface ShieldOptions {
  readonly version?: string;
  readonly port?: number;
  readonly plan?: "Pro";
}

/** A player at the door. */
export interface Joiner {
  readonly shield: GuardedShield;
  readonly player: string;
  readonly from: string;
}

export const usualVersion = "1.20.4";
/** One whose games may show a signed key. */
export const signingVersion = "1.19.2";
/** The part of loopback that is on the edge's list of VPNs. */
export const listedBeginning = "127.5.";
const listedNetwork = "127.5.0.0/16";
export const usualBeginning = "127.1.";

export async function startMitigationFixture(): Promise<MitigationFixture> {
  const sessions = await startSessionServer();
  // Products that run beside this one have the usual ones.
  const otherPort = await freePort();
  const settings = {
    PALISADE_OTHER_PORTS: `${otherPort}-${otherPort}`,
    PALISADE_SESSION_SERVER_URL: sessions.url,
    // Whichever of them takes a connection, limits and what is known of players are one.
    PALISADE_EDGE_WORKERS: "2",
  };
  const reach = await startMinecraftFixture(settings, "200");
  const lists = path.join(reach.palisade.home, "vpn");
  await mkdir(lists, { recursive: true });
  await writeFile(path.join(lists, "hosts.txt"), `# Hosting\n${listedNetwork}\n`);

  const ports = new Map<string, number>();
  const neighbours = new Map<string, GuardedShield>();
  let serial = 0;

  function newShield({ version = usualVersion, plan, ...options }: ShieldOptions = {}) {
    const port = options.port ?? found(ports.get(version), version);
    const domain = `m${++serial}.example.com`;
    return buyGuarded(reach, { domain, port, ...(plan && { plan }) });
  }

  async function open(version: string): Promise<void> {
    const { port } = await reach.peers.serve(`lobby ${version}`, { version });
    ports.set(version, port);
    const neighbour = await newShield({ version });
    await neighbour.set({ antibot_level: "disabled" });
    neighbours.set(version, neighbour);
  }

  await Promise.all([usualVersion, signingVersion].map(open));
  return {
    minecraft: reach,
    sessions,
    newShield,
    neighbourOf: (version) => found(neighbours.get(version), version),
    joinerAt(shield, from) {
      const number = ++serial;
      const fresh = `${usualBeginning}${number >> 8}.${number & 255}`;
      return { shield, player: `Guest_${number}`, from: from ?? fresh };
    },
    async end() {
      await reach.end();
      await sessions.end();
    },
  };
}

function found<T>(value: T | undefined, version: string): T {
  if (value === undefined) throw new Error(`There is no server of ${version}`);
  return value;
}
