import {
  probesAtOnceMax,
  type ProbeAttempt,
  type ProbeRequest,
  type ProbeResult,
} from "@palisade/contract/edge/probe";
import type { Dialler } from "#src/dialling/dialler.ts";
import type { OwnHeader } from "#src/shields/backend-groups.ts";
import type { ProbeReport, ProbeSink } from "#src/ports.ts";
import type { TimerWheel } from "@palisade/sockets/timer-wheel";
import { greetsWith } from "./proof-greeting.ts";
import { parseStatus } from "./parse-status.ts";
import { exchangeStatus } from "./status-exchange.ts";

export type ProbeOutcome = ProbeAttempt["outcome"];

export interface ProbeServiceDeps {
  readonly dialler: Dialler;
  readonly bedrock: {
    probe(request: ProbeRequest, signal: AbortSignal): Promise<ProbeResult["bedrock"]>;
    /** The answer while the edge is busy. */
    skipped(request: ProbeRequest): ProbeResult["bedrock"];
  };
  readonly wheel: TimerWheel;
  /** No clock that can be set. */
  readonly monotonicMs: () => number;
}

/** Probes backends for the control plane. Players come first, and nothing here throws. */
export class ProbeService implements ProbeSink {
  readonly #deps: ProbeServiceDeps;
  readonly #running = new Set<AbortController>();
  readonly #counts = new Map<ProbeOutcome, number>();
  /** The addresses whose MOTD has shown the token, by request. */
  readonly #shown = new Map<string, string>();

  constructor(deps: ProbeServiceDeps) {
    this.#deps = deps;
  }

  /** Attempts so far, by how they ended. */
  get counts(): ReadonlyMap<ProbeOutcome, number> {
    return this.#counts;
  }

  take(request: ProbeRequest, report: ProbeReport): void {
    const ways = request.proxy === "both" ? [false, true] : [request.proxy === "with"];
    const result =
      this.#running.size < probesAtOnceMax
        ? this.#probe(request, ways)
        : Promise.resolve({
            attempts: ways.map((proxy) => unseen(proxy, "skipped")),
            expects_proxy: false,
            proven: null,
            bedrock: this.#deps.bedrock.skipped(request),
          });
    void result.then((found) => {
      const { attempts, bedrock } = found;
      for (const { outcome } of [...attempts, ...(bedrock?.attempts ?? [])]) {
        this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
      }
      report({ id: request.id, ...found });
    });
  }

  /** Gives up running probes; they are still reported. */
  stop(): void {
    for (const abort of this.#running) abort.abort();
  }

  async #probe(request: ProbeRequest, ways: readonly boolean[]): Promise<Omit<ProbeResult, "id">> {
    const abort = new AbortController();
    const deadline = { expire: () => abort.abort() };
    this.#running.add(abort);
    this.#deps.wheel.schedule(deadline, request.deadline_ms);
    try {
      const [seen, bedrock] = await Promise.all([
        this.#probeJava(request, ways, abort.signal),
        this.#deps.bedrock.probe(request, abort.signal),
      ]);
      return { ...seen, bedrock };
    } finally {
      this.#shown.delete(request.id);
      this.#deps.wheel.cancel(deadline);
      this.#running.delete(abort);
    }
  }

  async #probeJava(
    request: ProbeRequest,
    ways: readonly boolean[],
    signal: AbortSignal,
  ): Promise<Omit<ProbeResult, "id" | "bedrock">> {
    const greeting = await this.#greeting(request, signal);
    const attempts = await Promise.all(ways.map((proxy) => this.#attempt(request, proxy, signal)));
    const expects_proxy = await this.#expectsProxy(request, attempts, signal);
    const shown = this.#shown.get(request.id);
    const motd = shown === undefined ? null : ({ by: "motd", address: shown } as const);
    return { attempts, expects_proxy, proven: greeting ?? motd };
  }

  /** The address that greets with the token; null if none does, or no token is looked for. */
  async #greeting(
    { host, port, proof_token: token }: ProbeRequest,
    signal: AbortSignal,
  ): Promise<ProbeResult["proven"]> {
    const { dialler, wheel } = this.#deps;
    if (token === undefined || !dialler.hasRoom) return null;
    const dialled = await dialler.dialTelling({ host, port }, signal);
    if (dialled.kind !== "connected") return null;
    const { ip: address } = dialled.socket.remote;
    const isProven = await greetsWith(dialled.socket, token, { wheel, signal });
    return isProven ? { by: "greeting", address } : null;
  }

  /** Whether the backend gives a status only to a PROXY header; asks with one if that is not known yet. */
  async #expectsProxy(
    request: ProbeRequest,
    attempts: readonly ProbeAttempt[],
    signal: AbortSignal,
  ): Promise<boolean> {
    const without = attempts.find(({ proxy }) => !proxy);
    if (without?.outcome !== "not_minecraft") return false;
    const known = attempts.find(({ proxy }) => proxy);
    if (known === undefined && signal.aborted) return false;
    const { outcome } = known ?? (await this.#attempt(request, true, signal));
    return outcome === "online";
  }

  async #attempt(
    request: ProbeRequest,
    proxy: boolean,
    signal: AbortSignal,
  ): Promise<ProbeAttempt> {
    if (!proxy) return this.#ask(request, undefined, signal);
    const attempt = await this.#ask(request, "local", signal);
    // Velocity hangs up on LOCAL; see `OwnHeader`.
    if (attempt.outcome !== "not_minecraft" || signal.aborted) return attempt;
    return this.#ask(request, "proxy", signal);
  }

  async #ask(
    request: ProbeRequest,
    header: OwnHeader | undefined,
    signal: AbortSignal,
  ): Promise<ProbeAttempt> {
    const { dialler, monotonicMs } = this.#deps;
    const proxy = header !== undefined;
    if (!dialler.hasRoom) return unseen(proxy, "skipped");
    const dialled = await dialler.dialTelling(request, signal);
    if (dialled.kind === "no_room") return unseen(proxy, "skipped");
    if (dialled.kind !== "connected") return unseen(proxy, dialled.kind);
    const began = monotonicMs();
    const result = await exchangeStatus(dialled.socket, { ...request, header }, signal);
    if (result.kind !== "json") return unseen(proxy, result.kind);
    const status = parseStatus(result.json);
    if (status === undefined) return unseen(proxy, "not_minecraft");
    const { proof_token: token } = request;
    const isShown = status.motd.some((line) => token !== undefined && plain(line).includes(token));
    if (isShown) this.#shown.set(request.id, dialled.socket.remote.ip);
    const latency_ms = Math.min(60_000, Math.max(0, Math.round(monotonicMs() - began)));
    return { proxy, outcome: "online", latency_ms, status };
  }
}

function plain(line: string): string {
  return line.replaceAll(/§./gu, "");
}

function unseen(proxy: boolean, outcome: ProbeOutcome): ProbeAttempt {
  return { proxy, outcome, latency_ms: null, status: null };
}
