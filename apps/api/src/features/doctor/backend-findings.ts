import type { ProbeAttempt } from "@palisade/contract/edge/probe";
import type { bedrockProxyModes } from "@palisade/contract/edge/shield-config";
import { stripCodes } from "@palisade/minecraft-protocol/java/chat";
import { atLeast, currentProtocol, isKnown } from "@palisade/minecraft-protocol/java/versions";
import { isPublicBackend } from "#src/features/backends/backend-address.service.ts";
import type { Finding } from "./findings.ts";

export interface DoctorBackend {
  readonly host: string;
  readonly port: number;
  readonly group: string;
  readonly game: "minecraft" | "other";
  readonly proxyProtocol: boolean;
  readonly isProven: boolean;
  /** UDP port for players of Bedrock; null where it takes none. */
  readonly bedrockPort: number | null;
  readonly bedrockProxy: (typeof bedrockProxyModes)[number];
}

/** One edge's view of a backend, with and without a PROXY header; null where it was not asked. */
export interface BackendView {
  readonly edge: string;
  readonly attempts: readonly ProbeAttempt[] | null;
}

export type OnlineAttempt = ProbeAttempt & { readonly status: NonNullable<ProbeAttempt["status"]> };

/** All findings about one backend: one set per edge, and those that do not depend on an edge. */
export function backendFindings(backend: DoctorBackend, views: readonly BackendView[]): Finding[] {
  if (backend.game === "other") {
    return [...views.map((view) => reachFinding(backend, view)), ...proofFindings(backend, views)];
  }
  const findings = views.flatMap((view) => viewFindings(backend, view));
  const attempts = views.flatMap((view) => view.attempts ?? []);
  const status = attempts.find(isOnline)?.status;
  if (status === undefined) return [...findings, ...proofFindings(backend, views)];
  return [...findings, versionFinding(backend, status), ...originFindings(backend, attempts)];
}

/**
 * A Minecraft server that answers the doctor is proven by that; one that cannot be reached has a
 * finding of its own.
 */
function proofFindings(backend: DoctorBackend, views: readonly BackendView[]): Finding[] {
  const attempts = views.flatMap((view) => view.attempts ?? []);
  const answers = attempts.some(({ outcome }) => outcome === "not_minecraft");
  if (backend.isProven || !answers) return [];
  const { host, port, group } = backend;
  const name = addressOf(backend);
  return [{ code: "backend.unproven", name, edge: null, values: { host, port, group } }];
}

/** A backend of another game gives no status: only whether it accepts connections is known. */
function reachFinding(backend: DoctorBackend, { edge, attempts }: BackendView): Finding {
  const { host, port, group, proxyProtocol } = backend;
  const outcome = attempts?.find(({ proxy }) => proxy === proxyProtocol)?.outcome ?? "skipped";
  const about = { name: addressOf(backend), edge, values: { host, port, group } };
  if (outcome === "skipped") return { code: "backend.not_asked", ...about };
  const isOpen = outcome === "online" || outcome === "not_minecraft";
  return { code: isOpen ? "backend.open" : `backend.${outcome}`, ...about };
}

/**
 * Whether the backend answers connections that do not come from an edge. An edge may pass the
 * owner's firewall, so it can only connect without the header that the group sends: a server that
 * answers then answers everyone. Without PROXY protocol an edge looks like any other client, so a
 * public address gets a warning.
 */
function originFindings(backend: DoctorBackend, attempts: readonly ProbeAttempt[]): Finding[] {
  const { host, port, group, proxyProtocol } = backend;
  const about = { name: addressOf(backend), edge: null, values: { host, port, group } };
  if (!proxyProtocol) {
    const isPublic = isPublicBackend(host, []);
    return [{ code: isPublic ? "origin.unproven" : "origin.private", ...about }];
  }
  // A backend that does not accept the header has its own finding, which comes first.
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

export function isOnline(attempt: ProbeAttempt | undefined): attempt is OnlineAttempt {
  return attempt?.outcome === "online" && attempt.status !== null;
}

export function seenOf({ status, latency_ms }: OnlineAttempt) {
  const values = {
    version: stripCodes(status.version),
    online: status.players_online,
    max: status.players_max,
    latency: latency_ms ?? 0,
  };
  return { kind: "status", values } as const;
}

function versionFinding(backend: DoctorBackend, status: OnlineAttempt["status"]): Finding {
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

/** Protocol numbers do not follow the order of versions, so the table of known versions decides. */
function judgeVersion(protocol: number): "known" | "old" | "newer" | "unknown" {
  if (isKnown(protocol)) return atLeast(protocol, "1.8") ? "known" : "old";
  return protocol > currentProtocol ? "newer" : "unknown";
}

export function addressOf({ host, port }: Pick<DoctorBackend, "host" | "port">): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
