import type { staffEdge } from "@palisade/contract/http/staff-edges";
import type { z } from "zod";
import apiPackage from "../../../package.json" with { type: "json" };
import type { selectEdges } from "./edges.repository.ts";

type EdgeRow = Awaited<ReturnType<typeof selectEdges>>[number];
type StaffEdge = z.infer<typeof staffEdge>;

export function presentEdge(row: EdgeRow): StaffEdge {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    location: row.location,
    state: stateOf(row),
    drained: row.drained,
    addresses: row.addresses,
    config: {
      version: Number(row.config_version),
      behind: Math.max(0, Number(row.stream_version) - Number(row.config_version)),
      schema: row.config_schema,
      rejected: Number(row.rejected),
    },
    program_version: row.program_version,
    has_other_version: row.program_version !== null && row.program_version !== apiPackage.version,
    load: {
      players: Number(row.players),
      connections_per_second: Number(row.connections_per_second),
      bandwidth_bps: Number(row.bandwidth_bps),
    },
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

function stateOf(row: EdgeRow): StaffEdge["state"] {
  if (row.revoked_at !== null) return "revoked";
  if (row.enrolled_at === null) return "invited";
  return row.is_online ? "online" : "offline";
}
