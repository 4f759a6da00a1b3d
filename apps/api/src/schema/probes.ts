import type { Generated } from "./columns.ts";

interface ProbesTable {
  id: string;
  edge_id: string;
  /** JSON of `probeRequest`. */
  request: string;
  given_at: Generated<Date | null>;
  /** JSON of `probeResult`. */
  result: Generated<string | null>;
  expires_at: Date;
  asker: Generated<string | null>;
  purpose: Generated<"wizard" | "doctor">;
}

export interface ProbesTables {
  probes: ProbesTable;
}
