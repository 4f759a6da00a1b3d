import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import path from "node:path";
import { isPinned } from "#src/machine/cores.ts";
import { resultsFolder } from "#src/paths.ts";
import type { Row } from "./row.ts";
import { table } from "./table.ts";

interface WholeRun {
  readonly rounds: number;
  readonly seconds: number;
  /** Names of benchmarks that failed; their rows say why. */
  readonly failed: readonly string[];
}

/** Saves a run of everything as results/latest.md. */
export function saveResults(rows: readonly Row[], { failed, ...run }: WholeRun): void {
  const machine = {
    at: new Date().toISOString(),
    cpu: cpus()[0]?.model ?? "?",
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1e9),
    node: process.version,
    // Load of the last 15 minutes: above our own (about 1.5), other programs were running.
    load: loadavg()[2]?.toFixed(1),
    pinned: isPinned,
    ...run,
    failed: failed.join(", ") || "nothing",
  };
  const properties = Object.entries(machine).map(([name, value]) => `${name} ${String(value)}`);
  mkdirSync(resultsFolder, { recursive: true });
  writeFileSync(
    path.join(resultsFolder, "latest.md"),
    `# Last whole run\n\n${properties.join(" · ")}\n\n${table(rows)}\n`,
  );
}
