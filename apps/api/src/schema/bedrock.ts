import type { Generated } from "./columns.ts";

interface ShieldBedrockTable {
  shield_id: string;
  enabled: Generated<boolean>;
  default_granted: Generated<boolean>;
  version: Generated<number>;
}

interface BedrockPortsTable {
  id: string;
  shield_id: string | null;
  port: number;
  location: string | null;
  created_at: Date;
  removed_at: Generated<Date | null>;
}

export interface BedrockTables {
  shield_bedrock: ShieldBedrockTable;
  bedrock_ports: BedrockPortsTable;
}
