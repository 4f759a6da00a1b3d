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
}

export interface ProbesTables {
  probes: ProbesTable;
}
