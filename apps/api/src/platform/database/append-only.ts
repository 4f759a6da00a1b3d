/** Tables whose rows the runtime role may read and add, never change or remove. */
export const appendOnlyTables: readonly string[] = [
  "audit_log",
  "audit_durations",
  "staff_actions",
  "ledger_accounts",
  "ledger_txns",
  "ledger_postings",
  "sellers",
  "documents",
];
