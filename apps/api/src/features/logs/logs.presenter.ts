import type { LogEntry } from "@palisade/contract/http/logs";
import { knownReleases } from "@palisade/minecraft-protocol/java/versions";
import type { selectLogins } from "./login-entries.repository.ts";

type Row = Awaited<ReturnType<typeof selectLogins>>[number];

export function presentLogin(row: Row): LogEntry {
  return {
    id: row.id,
    at: row.at.toISOString(),
    verdict: row.verdict,
    shadow: row.shadow,
    player: row.player,
    ip: row.ip,
    version: versions.get(row.protocol) ?? null,
    protocol: row.protocol,
    host: row.host,
    edge: row.edge ?? "",
    trace: row.trace,
    facts: row.facts,
  };
}

/** `1.20.3-1.20.4` if several releases share the protocol number. */
const versions = new Map<number, string>();
for (const { protocol, version } of knownReleases) {
  const [first] = versions.get(protocol)?.split("-") ?? [];
  versions.set(protocol, first === undefined ? version : `${first}-${version}`);
}
