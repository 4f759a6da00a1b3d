import type { JSONColumnType } from "kysely";
import type { AttackDetail } from "@palisade/contract/edge/attack-detail";
import type { AntibotLevel, Refusals } from "@palisade/contract/edge/plain-values";
import type { LoggedAttempt, LoginVerdict } from "@palisade/contract/edge/telemetry";
import type { BigIntText, Generated } from "./columns.ts";

interface AttackFigures {
  peak_per_second: BigIntText;
  datagrams_peak: Generated<BigIntText>;
  sources: BigIntText;
  refused: JSONColumnType<Refusals>;
  relaxed_to: AntibotLevel | null;
}

interface AttacksTable extends AttackFigures {
  id: string;
  shield_id: string | null;
  edge_id: string | null;
  started_at: Date;
  ended_at: Date | null;
  is_over: Generated<boolean>;
  edges: number;
}

interface AttackPartsTable extends AttackFigures {
  edge_id: string;
  part_id: string;
  attack_id: string;
  boot_id: string;
  seq: BigIntText;
  started_at: Date;
  ended_at: Date | null;
  is_lost: Generated<boolean>;
  heard_at: Date;
  missed_at: Date | null;
}

interface AttackPartDetailsTable {
  edge_id: string;
  part_id: string;
  attack_id: string;
  detail: JSONColumnType<AttackDetail>;
}

interface AttackSharesTable {
  id: string;
  attack_id: string;
  token_hash: string;
  created_at: Date;
  expires_at: Date;
}

interface AttackEventsTable {
  id: string;
  attack_id: string;
  kind: "started" | "relaxed" | "stopped";
  at: Date;
}

interface LoginEntriesTable {
  id: string;
  shield_id: string;
  at: Date;
  edge_id: string;
  verdict: LoginVerdict;
  shadow: boolean;
  player: string;
  ip: string;
  protocol: number;
  host: string;
  trace: string;
  facts: JSONColumnType<Record<string, string>>;
  country: string | null;
  asn: BigIntText | null;
  network: string | null;
  /** Null: told by an edge that did not log it. */
  attempt: JSONColumnType<LoggedAttempt> | null;
}

interface LogIntervalsTable {
  user_id: string;
  shield_id: string;
  seconds: number;
}

export interface AttacksTables {
  attacks: AttacksTable;
  attack_parts: AttackPartsTable;
  attack_part_details: AttackPartDetailsTable;
  attack_shares: AttackSharesTable;
  attack_events: AttackEventsTable;
  login_entries: LoginEntriesTable;
  log_intervals: LogIntervalsTable;
}
