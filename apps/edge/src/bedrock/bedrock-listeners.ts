import { closeDescriptor, handOver, opened } from "@palisade/sockets/descriptors";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { PortClaim } from "#src/shields/shield-registry.ts";
import { PortClaims } from "#src/shields/port-claims.ts";
import type { WatchedSocket } from "#src/admission/watched-socket.ts";
import type { BedrockDeps } from "./bedrock-deps.ts";
import { BedrockPort } from "./bedrock-port.ts";
import { BackendPings, type BackendPingsDeps } from "./backend-pings.ts";
import { DatagramRoom } from "./datagram-room.ts";
import { FloodCounts } from "./flood-counts.ts";
import { HandshakeCookies } from "./handshake-cookie.ts";
import { KnownSources } from "./known-sources.ts";
import { LoginKeyService } from "./login-key-service.ts";
import { PongBudgets, SourceBudget } from "./ping-budget.ts";
import type { UpstreamDeps } from "./upstream-handshake.ts";
import { decodeRecord } from "./session-record.ts";
import type { HeldSession } from "./session-record.ts";
import type { ConnectLimit } from "#src/dialling/player-dial.ts";

/**
 * The Bedrock ports that this thread serves. All ports of a shield belong to one thread, so that its
 * sessions, its budgets and what its backends have said are in one place.
 */
export class BedrockListeners {
  readonly #deps: BedrockDeps;
  readonly #isOwn: (shieldId: string) => boolean;
  readonly #claims = new PortClaims();
  readonly #sockets = new Map<number, WatchedSocket>();
  readonly #ports = new Map<number, BedrockPort>();
  readonly #ownPorts: Set<number>;
  #isClosed = false;

  /**
   * @param ownPorts UDP ports of this edge, which no backend may be
   * @param isOwn whether the shield's ports belong to this thread
   */
  constructor(deps: BedrockDeps, ownPorts: Set<number>, isOwn: (shieldId: string) => boolean) {
    this.#deps = deps;
    this.#ownPorts = ownPorts;
    this.#isOwn = isOwn;
  }

  /** Sessions of all ports. */
  get sessions(): number {
    let count = 0;
    for (const { table } of this.#ports.values()) count += table.size;
    return count;
  }

  /** @throws SystemCallError */
  watch(socket: WatchedSocket): void {
    if (this.#isClosed) return;
    this.#sockets.set(socket.fd, socket);
    this.#ownPorts.add(socket.port);
    this.#settle(socket);
  }

  /** The descriptor's number is not used any more when this returns. */
  unwatch(fd: number): void {
    const socket = this.#sockets.get(fd);
    if (socket === undefined) return;
    this.#sockets.delete(fd);
    this.#ownPorts.delete(socket.port);
    this.#close(fd);
  }

  /** Takes over the ports of a shield; none if it is gone. */
  replace(shieldId: string, ports: readonly PortClaim[]): void {
    const { opened, closed } = this.#claims.replace(shieldId, ports);
    const changed = new Set([...opened, ...closed, ...ports.map(({ port }) => port)]);
    // Most shields have no Bedrock.
    if (changed.size === 0) return;
    for (const socket of this.#sockets.values()) if (changed.has(socket.port)) this.#settle(socket);
  }

  /** Once a second. */
  tick(): void {
    this.#deps.sources.tick();
    this.#deps.budgets.tick();
    this.#deps.floods.tick();
    if (this.#ports.size > 0) this.#deps.loginKeys.tick();
    for (const port of this.#ports.values()) port.tick();
  }

  /** Continues sessions of an earlier edge; those that have no port or backend any more end. */
  adopt(sessions: readonly HeldSession[]): void {
    const ports = new Map([...this.#ports.values()].map((each) => [each.port, each]));
    for (const { fd, record: text } of sessions) {
      opened("thread", fd);
      const record = decodeRecord(text);
      const port = record && ports.get(record.port);
      if (record === undefined || port === undefined) closeDescriptor(fd);
      else port.adopt(fd, record);
    }
  }

  /**
   * Leaves all sessions to the next edge. The descriptors belong to the main thread once it hears of
   * them.
   */
  release(): HeldSession[] {
    this.#isClosed = true;
    const sessions = [...this.#ports.values()].flatMap((port) => port.release());
    this.#ports.clear();
    this.#sockets.clear();
    for (const { fd } of sessions) handOver(fd);
    return sessions;
  }

  /** Every session ends. */
  close(): void {
    this.#isClosed = true;
    for (const fd of this.#sockets.keys()) this.#close(fd);
    this.#sockets.clear();
  }

  #settle(socket: WatchedSocket): void {
    const { fd, port } = socket;
    const shield = this.#shieldOf(port);
    const served = this.#ports.get(fd);
    if (shield === undefined) this.#close(fd);
    else if (served === undefined) {
      this.#ports.set(fd, new BedrockPort(fd, port, shield, this.#deps));
    } else served.serve(shield);
  }

  #shieldOf(port: number): CompiledShield | undefined {
    const shield = this.#claims.targetOf(port);
    return shield !== undefined && this.#isOwn(shield.id) ? shield : undefined;
  }

  #close(fd: number): void {
    this.#ports.get(fd)?.close();
    this.#ports.delete(fd);
  }
}

/** The parts of the thread that take part in connections of any kind. */
type ThreadParts = Pick<
  BedrockDeps,
  | "limits"
  | "wheel"
  | "admission"
  | "outcomes"
  | "mitigation"
  | "log"
  | "logins"
  | "attackSamples"
  | "traceCodes"
>;

interface Surroundings
  extends
    Omit<UpstreamDeps, "policy" | "room">,
    Pick<BedrockDeps, "nowMs" | "isBanned" | "counts" | "copies"> {
  readonly udpPolicy: UpstreamDeps["policy"];
  readonly ownUdpPorts: Set<number>;
  /** As of `LoginKeyService`. */
  readonly loginServiceUrl: string;
  readonly connects: Pick<ConnectLimit, "allows">;
  readonly onBackendHealth: BackendPingsDeps["onHealth"];
}

/** @param isOwn as of `BedrockListeners` */
export function createBedrockListeners(
  parts: ThreadParts,
  {
    udpPolicy: policy,
    ownUdpPorts,
    isBanned,
    counts,
    copies,
    loginServiceUrl,
    onBackendHealth: onHealth,
    ...around
  }: Surroundings,
  isOwn: (shieldId: string) => boolean,
): BedrockListeners {
  const { nowMs, monotonicMs } = around;
  const room = new DatagramRoom();
  const upstream = { ...around, policy, room };
  const deps: BedrockDeps = {
    ...parts,
    isBanned,
    nowMs,
    monotonicMs,
    room,
    cookies: new HandshakeCookies(monotonicMs),
    sources: new SourceBudget(),
    known: new KnownSources(monotonicMs),
    pings: new BackendPings({ ...upstream, onHealth }),
    budgets: new PongBudgets(),
    floods: new FloodCounts(parts.mitigation),
    counts,
    copies,
    upstream,
    loginKeys: new LoginKeyService({ url: loginServiceUrl, monotonicMs, log: parts.log }),
  };
  return new BedrockListeners(deps, ownUdpPorts, isOwn);
}
