import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import path from "node:path";
import { isPinned } from "#src/machine/cores.ts";
import { resultsFolder } from "#src/paths.ts";
import type { Row } from "./row.ts";
import { table } from "./table.ts";

/** Saves a complete run as results/latest.json and, for reading, latest.md. */
export function saveResults(
  rows: readonly Row[],
  run: { readonly rounds: number; readonly seconds: number },
): void {
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
  };
  const properties = Object.entries(machine).map(([name, value]) => `${name} ${String(value)}`);
  mkdirSync(resultsFolder, { recursive: true });
  const file = (name: string): string => path.join(resultsFolder, name);
  writeFileSync(file("latest.json"), `${JSON.stringify({ machine, rows }, null, 2)}\n`);
  writeFileSync(
    file("latest.md"),
    `# Last whole run\n\n${properties.join(" · ")}\n\n${table(rows)}\n`,
  );
}
