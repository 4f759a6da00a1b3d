import type { LogEntry } from "@palisade/contract/http/logs";
import { versionOfProtocol } from "#src/features/minecraft/protocol-names.service.ts";
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
    version: versionOfProtocol(row.protocol),
    protocol: row.protocol,
    host: row.host,
    edge: row.edge ?? "",
    trace: row.trace,
    facts: row.facts,
  };
}
