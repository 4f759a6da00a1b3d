import type { ProbeAttempt } from "@palisade/contract/edge/probe";
import { stripCodes } from "@palisade/minecraft-protocol/java/chat";
import { atLeast, currentProtocol, isKnown } from "@palisade/minecraft-protocol/java/versions";
import type { Finding } from "./findings.ts";

export interface DoctorBackend {
  readonly host: string;
  readonly port: number;
  readonly group: string;
  readonly game: "minecraft" | "other";
  readonly proxyProtocol: boolean;
}

/** What one edge saw of a backend, with and without a PROXY header; null where it was not asked. */
export interface BackendView {
  readonly edge: string;
  readonly attempts: readonly ProbeAttempt[] | null;
}

type Online = ProbeAttempt & { readonly status: NonNullable<ProbeAttempt["status"]> };

/** Everything there is to say about one backend: from each edge, and what is true of it once. */
export function backendFindings(backend: DoctorBackend, views: readonly BackendView[]): Finding[] {
  if (backend.game === "other") return views.map((view) => reachFinding(backend, view));
  const findings = views.flatMap((view) => viewFindings(backend, view));
  const attempts = views.flatMap((view) => view.attempts ?? []);
  const status = attempts.find(isOnline)?.status;
  if (status === undefined) return findings;
  return [...findings, versionFinding(backend, status), ...originFindings(backend, attempts)];
}

/** Of a server that is no Minecraft's there is nothing to read, only whether it takes connections. */
function reachFinding(backend: DoctorBackend, { edge, attempts }: BackendView): Finding {
  const { host, port, group, proxyProtocol } = backend;
  const outcome = attempts?.find(({ proxy }) => proxy === proxyProtocol)?.outcome ?? "skipped";
  const about = { name: addressOf(backend), edge, values: { host, port, group } };
  if (outcome === "skipped") return { code: "backend.not_asked", ...about };
  const isOpen = outcome === "online" || outcome === "not_minecraft";
  return { code: isOpen ? "backend.open" : `backend.${outcome}`, ...about };
}

/**
 * Whether others than the edges get an answer. An edge may pass the owner's firewall, so that it
 * can only come without the header that the group sends: a server that answers then tells nobody
 * from an edge. Without PROXY protocol an edge looks like anybody, and nothing can be seen.
 */
function originFindings(backend: DoctorBackend, attempts: readonly ProbeAttempt[]): Finding[] {
  const { host, port, group, proxyProtocol } = backend;
  const about = { name: addressOf(backend), edge: null, values: { host, port, group } };
  if (!proxyProtocol) return [{ code: "origin.unproven", ...about }];
  // Where nothing takes the header there is that to mend first.
  if (!attempts.some((attempt) => attempt.proxy && isOnline(attempt))) return [];
  const bare = attempts.filter(({ proxy }) => !proxy);
  if (bare.some(isOnline)) return [{ code: "origin.open", ...about }];
  return bare.some(({ outcome }) => outcome !== "skipped")
    ? [{ code: "origin.closed", ...about }]
    : [];
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
