import { connect, createServer, type Server } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { JoinOptions, PeerHost } from "../minecraft/peer-host.ts";
import type { HostPort } from "../product/palisade.ts";
import { clientAddress, type FloodPlan, hosts, ports, rejoinText, clientsAddress } from "./plan.ts";

export interface JoinCounts {
  tried: number;
  joined: number;
  /** Those that were verified first: they rejoined once, or were transferred. */
  verified: number;
  /** How the others ended. */
  readonly failures: string[];
  readonly joinMs: number[];
}

export interface JoinSetup {
  readonly peers: PeerHost;
  readonly edge: HostPort;
  readonly plan: Pick<FloodPlan, "level" | "version">;
}

/** Real clients that join one after the other, each as a new player from a new address. */
export class RealClients {
  readonly counts: JoinCounts = { tried: 0, joined: 0, verified: 0, failures: [], joinMs: [] };
  readonly #clients: JoinSetup;
  readonly #name: string;
  readonly #firstAddress: number;
  readonly #running = new Set<Promise<void>>();
  #stop = new AbortController();

  /** @param name prefix of the players' names @param firstAddress number of their first address */
  constructor(clients: JoinSetup, name: string, firstAddress: number) {
    this.#clients = clients;
    this.#name = name;
    this.#firstAddress = firstAddress;
  }

  async begin(everyMs: number): Promise<void> {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const joining = this.join().finally(() => this.#running.delete(joining));
      this.#running.add(joining);
      await delay(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Starts no more joins and waits for those under way. */
  async end(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }

  async join(): Promise<void> {
    const n = this.counts.tried++;
    const beganAt = performance.now();
    const player = `${this.#name}${n}`;
    const { peers } = this.#clients;
    const visit = this.#visit(player, n);
    // Like players, who join from the server list: the game has pinged each entry by then.
    await peers.ping(visit).catch(() => undefined);
    let outcome = await peers.join(visit);
    if (outcome.outcome === "kicked" && outcome.text.includes(rejoinText)) {
      this.counts.verified++;
      outcome = await peers.join(visit);
    } else if (outcome.transfers > 0) this.counts.verified++;
    if (outcome.outcome !== "joined") {
      this.counts.failures.push(JSON.stringify(outcome).slice(0, 300));
      return;
    }
    this.counts.joined++;
    this.counts.joinMs.push(performance.now() - beganAt);
    await peers.quit(player);
  }

  #visit(player: string, n: number): JoinOptions {
    const { edge, plan } = this.#clients;
    const { version } = plan;
    const from = clientAddress(this.#firstAddress + n);
    const options = { edge, hostname: hosts.game, from, player, version, greeted: true };
    if (plan.level !== "extreme") return { ...options, falls: true };
    // Only mineflayer sits in boats.
    return { ...options, program: "mineflayer", captcha: {} };
  }
}

/** Makes a server on loopback reachable from the edge's namespace. */
export function openGamePort(loopbackPort: number): Promise<Server> {
  const { promise, resolve, reject } = Promise.withResolvers<Server>();
  const server = createServer({ noDelay: true }, (outside) => {
    const inside = connect({ host: "127.0.0.1", port: loopbackPort, noDelay: true });
    for (const [from, to] of [
      [outside, inside],
      [inside, outside],
    ] as const) {
      from.on("error", () => to.destroy());
      from.on("close", () => to.destroy());
      from.pipe(to);
    }
  });
  server.once("error", reject);
  server.listen(ports.game, clientsAddress, () => resolve(server));
  return promise;
}
