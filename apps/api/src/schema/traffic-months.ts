interface TrafficMonthsTable {
  shield_id: string;
  /** In UTC, as `2031-02`. */
  month: string;
  told: number;
  exceeded_at: Date | null;
}

export interface TrafficMonthsTables {
  traffic_months: TrafficMonthsTable;
}
