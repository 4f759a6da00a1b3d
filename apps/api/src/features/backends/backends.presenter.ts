import { everyRegion, everyRegionText } from "@palisade/contract/http/backends";
import type { BackendGroup, BackendServer } from "@palisade/contract/http/backends";
import { renderText, type Locale } from "@palisade/contract/texts/render";
import { isProven } from "#src/features/configuration/backend-proof.service.ts";
import { etagOf } from "#src/platform/http/etag.ts";
import type { GroupRow, HealthRow, BackendRow } from "./backends.repository.ts";

export interface PresentedWith {
  readonly locale: Locale;
  /** Display text of a region, by its value. */
  readonly regionNames: ReadonlyMap<string, string>;
  readonly backends: readonly BackendRow[];
  readonly health: readonly HealthRow[];
  /** How the ports for Bedrock answer. */
  readonly bedrockHealth: readonly HealthRow[];
}

export function presentGroup(group: GroupRow, shown: PresentedWith): BackendGroup {
  const { region } = group;
  return {
    id: group.id,
    name: group.name,
    game: group.game,
    region,
    region_name:
      region === everyRegion ? everyRegionText : (shown.regionNames.get(region) ?? region),
    load_balancing: group.balancing,
    proxy_protocol: group.proxy_protocol,
    default: group.is_default,
    port: group.port,
    created_at: group.created_at.toISOString(),
    etag: groupTag(group),
    ips: shown.backends
      .filter(({ group_id }) => group_id === group.id)
      .map((server) => presentBackend(server, shown)),
  };
}

/** Changes with the group and with its backends. */
export function groupTag({ id, version }: Pick<GroupRow, "id" | "version">): string {
  return etagOf(["backend group", id, version]);
}

export function presentBackend(
  server: BackendRow,
  { health, bedrockHealth, locale }: Pick<PresentedWith, "health" | "bedrockHealth" | "locale">,
): BackendServer {
  return {
    id: server.id,
    ip: server.host,
    port: server.port,
    bedrock_port: server.bedrock_port,
    bedrock_proxy: server.bedrock_proxy,
    created_at: server.created_at.toISOString(),
    proof: proofOf(server),
    health: sumHealth(rowsOf(server, health), locale),
    bedrock_health:
      server.bedrock_port === null
        ? null
        : bedrockHealthOf(sumHealth(rowsOf(server, bedrockHealth), locale)),
  };
}

function rowsOf({ id }: Pick<BackendRow, "id">, rows: readonly HealthRow[]): HealthRow[] {
  return rows.filter(({ backend_id }) => backend_id === id);
}

function bedrockHealthOf(health: BackendServer["health"]): BackendServer["bedrock_health"] {
  const { state, edges_up, edges_down, players, latency_ms, last_error, changed_at } = health;
  return { state, edges_up, edges_down, players, latency_ms, last_error, changed_at };
}

function proofOf(server: BackendRow): BackendServer["proof"] {
  const { proof_kind: by, proof_at, game } = server;
  if (!isProven(server, game)) return { proven: false, by: null, proven_at: null };
  return { proven: true, by, proven_at: proof_at?.toISOString() ?? null };
}

/** The health of one backend over all edges: up while any of them reaches it. */
function sumHealth(rows: readonly HealthRow[], locale: Locale): BackendServer["health"] {
  const up = rows.filter(({ state }) => state === "up");
  const down = rows.filter(({ state }) => state === "down");
  const newest = rows.toSorted((a, b) => timeOf(b.changed_at) - timeOf(a.changed_at))[0];
  const expectsProxy = up.length === 0 && down.some(({ expects_proxy }) => expects_proxy);
  const reported = [...down, ...rows].find(({ last_error }) => last_error !== null)?.last_error;
  const error = expectsProxy ? "expects_proxy" : reported;
  return {
    state: up.length > 0 ? "up" : down.length > 0 ? "down" : "unknown",
    edges_up: up.length,
    edges_down: down.length,
    players: Math.min(
      rows.reduce((sum, { players }) => sum + Number(players), 0),
      Number.MAX_SAFE_INTEGER,
    ),
    latency_ms: mean(up.flatMap(({ latency_ms }) => (latency_ms === null ? [] : [latency_ms]))),
    last_error: error == null ? null : renderText(locale, `backend_error.${error}`),
    expects_proxy: expectsProxy,
    changed_at: newest?.changed_at?.toISOString() ?? null,
  };
}

function timeOf(at: Date | null): number {
  return at?.getTime() ?? 0;
}

function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}
