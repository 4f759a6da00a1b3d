import { readAdvertisement } from "@palisade/minecraft-protocol/bedrock/advertisement";
import { textFromComponent } from "@palisade/minecraft-protocol/java/chat-text";
import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import type { ProbeAttempt, ProbeRequest, ProbeResult } from "@palisade/contract/edge/probe";
import { threadReactor } from "@palisade/sockets/reactor";
import type { BackendAddress } from "#src/resolver/backend-resolver.ts";
import {
  type PingedBackend,
  PingExchange,
  type PingExchangeDeps,
  type PingResult,
} from "./ping-exchange.ts";

type BedrockSeen = NonNullable<ProbeResult["bedrock"]>;
type OwnPort = BedrockSeen["own_ports"][number];
type Request = Pick<ProbeRequest, "host" | "bedrock">;

const ways = [false, true] as const;
const motdLimits = { linesMax: 1, charactersMax: 512 };
const versionLimits = { linesMax: 1, charactersMax: 128 };
const latencyMaxMs = 60_000;

export interface BedrockProberDeps extends PingExchangeDeps {
  readonly fds: PingExchangeDeps["fds"] & { readonly isTight: boolean };
  readonly resolver: { addresses(host: string): Promise<readonly BackendAddress[]> };
  /** UDP ports that this edge has open. */
  readonly ownPorts: ReadonlySet<number>;
  /** The address that they are open at. */
  readonly ownIp: () => string;
}

/** Pings for the control plane, as clients of Bedrock do. No promise here rejects. */
export class BedrockProber {
  readonly #deps: BedrockProberDeps;

  constructor(deps: BedrockProberDeps) {
    this.#deps = deps;
  }

  async probe(request: Request, signal: AbortSignal): Promise<BedrockSeen | null> {
    const { host, bedrock } = request;
    if (bedrock === undefined || this.#deps.fds.isTight) return this.skipped(request);
    const [attempts, own_ports] = await Promise.all([
      bedrock.port === null ? [] : this.#probeBackend(host, bedrock.port, signal),
      Promise.all(bedrock.own_ports.map((port) => this.#probeOwn(port, signal))),
    ]);
    return { attempts, own_ports };
  }

  /** The answer where the edge has no room for a request. */
  skipped({ bedrock }: Request): BedrockSeen | null {
    if (bedrock === undefined) return null;
    return {
      attempts: bedrock.port === null ? [] : ways.map((proxy) => unseen(proxy, "skipped")),
      own_ports: bedrock.own_ports.map((port) => ({ port, outcome: "skipped" })),
    };
  }

  async #probeBackend(host: string, port: number, signal: AbortSignal): Promise<ProbeAttempt[]> {
    const addresses = await unlessAborted(this.#deps.resolver.addresses(host), signal);
    return Promise.all(
      ways.map(async (proxy) => {
        const place = { addresses: addresses ?? [], port, proxy: proxy ? "first" : "off" } as const;
        return attemptOf(proxy, await this.#ping(place, this.#deps, signal));
      }),
    );
  }

  async #probeOwn(port: number, signal: AbortSignal): Promise<OwnPort> {
    const { ownPorts, ownIp } = this.#deps;
    const text = ownIp();
    const ip = parseIp(text);
    if (ip === undefined || !ownPorts.has(port)) return { port, outcome: "closed" };
    // The policy for backends forbids these ports.
    const deps = { ...this.#deps, policy: { mayDial: () => true } };
    const place = { addresses: [{ text, ip }], port, proxy: "off" } as const;
    const { kind } = await this.#ping(place, deps, signal);
    if (kind === "pong") return { port, outcome: "online" };
    if (kind === "no_room") return { port, outcome: "skipped" };
    return { port, outcome: kind === "refused" ? "closed" : "timeout" };
  }

  #ping(place: PingedBackend, deps: PingExchangeDeps, signal: AbortSignal): Promise<PingResult> {
    const { promise, resolve } = Promise.withResolvers<PingResult>();
    const exchange = new PingExchange(deps, place, (result) => {
      threadReactor().wakeNode();
      resolve(result);
    });
    const giveUp = (): void => exchange.giveUp();
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp, { once: true });
    return promise.finally(() => signal.removeEventListener("abort", giveUp));
  }
}

function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const end = (): void => resolve(undefined);
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  return Promise.race([answer, promise]).finally(() => signal.removeEventListener("abort", end));
}

function attemptOf(proxy: boolean, result: PingResult): ProbeAttempt {
  if (result.kind !== "pong") {
    return unseen(proxy, result.kind === "no_room" ? "skipped" : result.kind);
  }
  const said = readAdvertisement(result.pong.advertisement);
  if (said === undefined) return unseen(proxy, "not_minecraft");
  const lines = [said.motd, said.subMotd].filter((line) => line !== "");
  return {
    proxy,
    outcome: "online",
    latency_ms: Math.min(latencyMaxMs, Math.max(0, Math.round(result.latencyMs))),
    status: {
      motd: lines.map((line) => printable(line, motdLimits)),
      version: printable(said.version, versionLimits),
      protocol: said.protocol,
      players_online: said.online,
      players_max: said.max,
      favicon: null,
    },
  };
}

/** Servers may say anything. */
function printable(text: string, limits: typeof motdLimits): string {
  return textFromComponent(text, limits)[0] ?? "";
}

function unseen(proxy: boolean, outcome: ProbeAttempt["outcome"]): ProbeAttempt {
  return { proxy, outcome, latency_ms: null, status: null };
}
