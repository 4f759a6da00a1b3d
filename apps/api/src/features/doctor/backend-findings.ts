import type { ProbeAttempt } from "@palisade/contract/edge/probe";
import { stripCodes } from "@palisade/minecraft-protocol/java/chat";
import { atLeast, currentProtocol, isKnown } from "@palisade/minecraft-protocol/java/versions";
import type { Finding } from "./findings.ts";

export interface DoctorBackend {
  readonly host: string;
  readonly port: number;
  readonly group: string;
  readonly proxyProtocol: boolean;
}

/** What one edge saw of a backend, with and without a PROXY header; null where it was not asked. */
export interface BackendView {
  readonly edge: string;
  readonly attempts: readonly ProbeAttempt[] | null;
}

type Online = ProbeAttempt & { readonly status: NonNullable<ProbeAttempt["status"]> };

/** Everything there is to say about one backend: from each edge, and its version once. */
export function backendFindings(backend: DoctorBackend, views: readonly BackendView[]): Finding[] {
  const findings = views.flatMap((view) => viewFindings(backend, view));
  const status = views.flatMap(({ attempts }) => attempts ?? []).find(isOnline)?.status;
  return status === undefined ? findings : [...findings, versionFinding(backend, status)];
}

function viewFindings(backend: DoctorBackend, { edge, attempts }: BackendView): Finding[] {
  const { proxyProtocol, host, port, group } = backend;
  const name = addressOf(backend);
  const as = (proxy: boolean) => attempts?.find((attempt) => attempt.proxy === proxy);
  const wanted = as(proxyProtocol);
  const other = as(!proxyProtocol);
  const online = [wanted, other].find(isOnline);
  const values = { host, port, group };
  if (online === undefined) {
    const outcome = wanted?.outcome ?? "skipped";
    const code = outcome === "skipped" || outcome === "online" ? "not_asked" : outcome;
    return [{ code: `backend.${code}`, name, edge, values }];
  }
  const mismatch = proxyProtocol ? "proxy.unexpected" : "proxy.required";
  return [
    { code: "backend.online", name, edge, values, seen: seenOf(online) },
    { code: online === wanted ? "proxy.matches" : mismatch, name, edge, values },
  ];
}

function isOnline(attempt: ProbeAttempt | undefined): attempt is Online {
  return attempt?.outcome === "online" && attempt.status !== null;
}

function seenOf({ status, latency_ms }: Online) {
  const values = {
    version: stripCodes(status.version),
    online: status.players_online,
    max: status.players_max,
    latency: latency_ms ?? 0,
  };
  return { kind: "status", values } as const;
}

function versionFinding(backend: DoctorBackend, status: Online["status"]): Finding {
  const { protocol } = status;
  const version = stripCodes(status.version);
  return {
    code: `version.${judgeVersion(protocol)}`,
    name: addressOf(backend),
    edge: null,
    values: { version, protocol },
    seen: { kind: "literal", text: `${version} (${protocol})` },
  };
}

/** Numbers are not in the order of versions, so unknown ones are told from newer ones by the table. */
function judgeVersion(protocol: number): "known" | "old" | "newer" | "unknown" {
  if (isKnown(protocol)) return atLeast(protocol, "1.8") ? "known" : "old";
  return protocol > currentProtocol ? "newer" : "unknown";
}

function addressOf({ host, port }: DoctorBackend): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
