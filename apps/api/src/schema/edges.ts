import type { ColumnType, JSONColumnType } from "kysely";
import type { BackendError, BackendHealth } from "@palisade/contract/edge/telemetry";
import type { nodeKinds } from "@palisade/contract/http/staff-edges";
import type { BigIntText, Generated } from "./columns.ts";

type GeneratedBigInt = ColumnType<string, number | undefined, number>;

export type NodeKind = (typeof nodeKinds)[number];

interface EdgesTable {
  id: string;
  name: string;
  kind: NodeKind;
  location: string;
  token_hash: string | null;
  token_expires_at: Date | null;
  credential_hash: string | null;
  credential_expires_at: Date | null;
  /** Given out by a renewal; takes the place of the other one at its first use. */
  next_credential_hash: string | null;
  next_credential_expires_at: Date | null;
  addresses: JSONColumnType<string[], string | undefined>;
  drained: Generated<boolean>;
  config_version: GeneratedBigInt;
  config_schema: Generated<number>;
  schema_since: GeneratedBigInt;
  /** The node's own program says it; null while it has not. */
  program_version: string | null;
  /** The newest stream, which alone is given probes; null before the first one. */
  probe_stream: string | null;
  boot_id: string | null;
  gauge_seq: GeneratedBigInt;
  former_boots: Generated<string[]>;
  created_at: Date;
  enrolled_at: Date | null;
  last_seen_at: Date | null;
  /** Null: the edge has not reported it. */
  vpn_lists: boolean | null;
  has_countries: boolean | null;
  has_networks: boolean | null;
  revoked_at: Date | null;
}

interface ConfigHeadTable {
  id: Generated<boolean>;
  version: BigIntText;
  epoch: Generated<string>;
}

interface ShieldConfigsTable {
  shield_id: string;
  schema: number;
  revision: number;
  version: BigIntText;
  locations: string[];
  left_locations: string[];
  config: string;
  config_bytes: number;
  cookie_salt: Generated<string>;
}

interface ShieldRevisionsTable {
  shield_id: string;
  revision: number;
  version: BigIntText;
  config: string;
  committed_at: Date;
}

interface EdgeAcksTable {
  edge_id: string;
  shield_id: string;
  applied_revision: number | null;
  applied_at: Date | null;
  rejected_revision: number | null;
  rejected_at: Date | null;
  reason: string | null;
}

interface TelemetryReportsTable {
  edge_id: string;
  boot_id: string;
  seq: BigIntText;
  received_at: Generated<Date>;
  /** Null where the report had no minute. */
  first_minute: Date | null;
  last_minute: Date | null;
  /** 0 only in minutes, 1 in ten minutes too, 2 in hours, 3 in days. */
  rolled: Generated<number>;
}

interface TelemetryRollupTable {
  shield_id: string;
  start: Date;
  joins: BigIntText | null;
  pings: BigIntText | null;
  status_hits: BigIntText | null;
  refused: BigIntText | null;
  challenged: BigIntText | null;
  verified: BigIntText | null;
  bytes_up: BigIntText | null;
  bytes_down: BigIntText | null;
  attack_bytes: BigIntText | null;
  player_seconds: BigIntText | null;
  bedrock_joins: BigIntText | null;
  bedrock_player_seconds: BigIntText | null;
  players_max: BigIntText | null;
  connections_max: BigIntText | null;
  checks: BigIntText | null;
  checks_up: BigIntText | null;
  latency_ms: BigIntText | null;
  reasons: JSONColumnType<Record<string, number>> | null;
  tops: JSONColumnType<Record<string, number>> | null;
  sketch: number[] | null;
}

interface TelemetryMinutesTable extends TelemetryRollupTable {
  edge_id: string;
}

type TelemetryViewColumns = Omit<
  TelemetryRollupTable,
  | "start"
  | "players_max"
  | "bedrock_joins"
  | "bedrock_player_seconds"
  | "connections_max"
  | "checks"
  | "checks_up"
  | "latency_ms"
  | "tops"
  | "sketch"
>;

/** Views of all counted minutes; rows of the same shield and time are to be summed. */
interface TelemetryHourlyView extends TelemetryViewColumns {
  hour: Date;
}

interface TelemetryDailyView extends TelemetryViewColumns {
  day: Date;
}

interface TelemetryCoverageTable {
  location: string;
  step: number;
  start: Date;
}

interface LiveGaugesTable {
  edge_id: string;
  shield_id: string;
  players: BigIntText;
  connections_per_second: number;
  bandwidth_bps: BigIntText;
  at: Date;
}

interface BackendHealthTable {
  edge_id: string;
  backend_id: string;
  state: BackendHealth["state"];
  players: BigIntText;
  latency_ms: number | null;
  last_error: BackendError | null;
  expects_proxy: Generated<boolean>;
  changed_at: Date | null;
  reported_at: Date;
}

interface BackendFaviconsTable {
  backend_id: string;
  png: Buffer | null;
  fingerprint: string | null;
  changed_at: Date;
}

export interface EdgesTables {
  backend_favicons: BackendFaviconsTable;
  backend_health: BackendHealthTable;
  bedrock_health: BackendHealthTable;
  edges: EdgesTable;
  config_head: ConfigHeadTable;
  shield_configs: ShieldConfigsTable;
  shield_revisions: ShieldRevisionsTable;
  edge_acks: EdgeAcksTable;
  telemetry_reports: TelemetryReportsTable;
  telemetry_minutes: TelemetryMinutesTable;
  telemetry_tens: TelemetryRollupTable;
  telemetry_hours: TelemetryRollupTable;
  telemetry_days: TelemetryRollupTable;
  telemetry_hourly: TelemetryHourlyView;
  telemetry_daily: TelemetryDailyView;
  telemetry_coverage: TelemetryCoverageTable;
  live_gauges: LiveGaugesTable;
}
