import { readFile } from "node:fs/promises";

const folder = new URL("recorded/", import.meta.url);
const release = "telemetry-report-2026-11-24";

/** A report with everything an edge of November 24, 2026 could tell: before details and courses. */
export async function earlierReport(of: {
  readonly shieldId: string;
  /** The start of a minute. */
  readonly minute: string;
}): Promise<Record<string, unknown>> {
  const text = await readFile(new URL(`${release}.json`, folder), "utf8");
  const filled = text.replaceAll("{shield}", of.shieldId).replaceAll("{minute}", of.minute);
  return JSON.parse(filled) as Record<string, unknown>;
}

/** The JSON schema of the reports that an api of that day took. It ignored keys it did not know. */
export async function earlierReportSchema(): Promise<Record<string, unknown>> {
  const text = await readFile(new URL(`${release}.schema.json`, folder), "utf8");
  return JSON.parse(text) as Record<string, unknown>;
}
