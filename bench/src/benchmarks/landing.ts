import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { createHome, removeHome, startPalisade } from "@palisade/system-tests/product/palisade";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { z } from "zod";
import { benchFolder } from "#src/paths.ts";
import type { Row } from "#src/report/row.ts";
import type { Benchmark } from "./benchmark.ts";

const chromium = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
/** A separate package that only `npm run bench` installs, so that the product's lockfile stays small. */
const lighthouse = path.join(benchFolder, "lighthouse/node_modules/lighthouse/cli/index.js");
const flags =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";

const report = z.object({
  categories: z.record(z.string(), z.object({ score: z.number().nullable() })),
  audits: z.object({
    "total-blocking-time": z.object({ numericValue: z.number() }),
    "largest-contentful-paint": z.object({ numericValue: z.number() }),
    "network-requests": z.object({
      details: z.object({
        items: z.array(
          z.object({ resourceType: z.string().optional(), transferSize: z.number().optional() }),
        ),
      }),
    }),
  }),
  environment: z.object({ benchmarkIndex: z.number() }),
});

type Report = z.infer<typeof report>;

const aims: Readonly<Record<string, number>> = {
  performance: 95,
  accessibility: 100,
  "best-practices": 100,
  seo: 100,
};

/** Lighthouse, as a phone on a slow network, on the built and served landing page. */
export const landing: Benchmark = {
  name: "landing",
  missing: [chromium, lighthouse]
    .filter((file) => !existsSync(file))
    .map((file) => `there is no ${file}`)[0],
  async run({ rounds, say }) {
    const home = await createHome();
    const folder = await createTemporaryFolder("bench-landing");
    const palisade = await startPalisade(home);
    try {
      const reports: Report[] = [];
      for (let round = 1; round <= rounds; round++) {
        say(`landing: visit ${round} of ${rounds}`);
        reports.push(await measured(palisade.consoleUrl, path.join(folder.path, "report.json")));
      }
      return rowsOf(reports);
    } finally {
      await palisade.stop();
      await removeHome(home);
      await folder.remove();
    }
  },
};

/** Sometimes Chromium's trace lacks its beginning, which has nothing to do with the page: measure again. */
async function measured(url: string, file: string): Promise<Report> {
  return visited(url, file).catch((error: unknown) => {
    if (!String(error).includes("NO_NAVSTART")) throw error;
    return visited(url, file);
  });
}

async function visited(url: string, file: string): Promise<Report> {
  const args = [lighthouse, url, "--output=json", `--output-path=${file}`, "--quiet"];
  await promisify(execFile)(
    process.execPath,
    [...args, "--no-enable-error-reporting", `--chrome-flags=${flags}`],
    { env: { ...process.env, CHROME_PATH: chromium } },
  );
  return report.parse(JSON.parse(await readFile(file, "utf8")));
}

/** Uses the best round, because other work on the machine only lowers a score. */
function rowsOf(reports: readonly Report[]): Row[] {
  const scoreOf = ({ categories }: Report, name: string) => (categories[name]?.score ?? 0) * 100;
  const [best] = reports.toSorted((a, b) => scoreOf(b, "performance") - scoreOf(a, "performance"));
  if (best === undefined) return [];
  const row = (measure: string, unit: string, value: number): Row => ({
    benchmark: "landing",
    measure,
    unit,
    value,
  });
  const { audits, environment } = best;
  const items = audits["network-requests"].details.items;
  const kilobytes = (type?: string): number =>
    items
      .filter(({ resourceType }) => type === undefined || resourceType === type)
      .reduce((bytes, { transferSize = 0 }) => bytes + transferSize, 0) / 1_024;
  return [
    ...Object.entries(aims).map(([name, limit]): Row => ({
      ...row(`Lighthouse ${name}`, "of 100", scoreOf(best, name)),
      aim: { of: "value", is: "at least", limit },
      note: name === "performance" ? `CPU index ${Math.round(environment.benchmarkIndex)}` : "",
    })),
    row("largest contentful paint", "ms", audits["largest-contentful-paint"].numericValue),
    row("total blocking time", "ms", audits["total-blocking-time"].numericValue),
    {
      ...row("scripts as transferred", "KB", kilobytes("Script")),
      aim: { of: "value", is: "at most", limit: 90 },
    },
    row("everything as transferred", "KB", kilobytes()),
  ];
}
