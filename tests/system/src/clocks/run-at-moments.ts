import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { z } from "zod";
import { checkout } from "../product/checkout.ts";
import { copyFaketime } from "./faketime-library.ts";

interface Moment {
  readonly name: string;
  /** When vitest starts; the tests are under way some seconds later. */
  readonly at: string;
  readonly timeZone: string;
}

const moments: readonly Moment[] = [
  { name: "00:30", at: "2027-01-13T00:30:00Z", timeZone: "UTC" },
  { name: "23:59:50", at: "2027-01-13T23:59:50Z", timeZone: "UTC" },
  { name: "29-february", at: "2028-02-29T00:30:00Z", timeZone: "UTC" },
  { name: "31-december", at: "2027-12-31T23:59:50Z", timeZone: "UTC" },
  // At 01:00 UTC the clocks in Berlin go from 02:00 to 03:00, and in October from 03:00 to 02:00.
  { name: "summer-time", at: "2027-03-28T00:59:50Z", timeZone: "Europe/Berlin" },
  { name: "winter-time", at: "2027-10-31T00:59:50Z", timeZone: "Europe/Berlin" },
];

export const momentNames: readonly string[] = moments.map(({ name }) => name);

/** Ten times as long as a run takes on two free cores. */
const runCapMs = 40 * 60_000;
const sayEveryMs = 60_000;

const result = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

export interface MomentsOptions {
  /** Path of faketime's library. */
  readonly library: string;
  readonly names: readonly string[];
  /** Arguments of vitest that choose the tests. */
  readonly tests: readonly string[];
  readonly say: (line: string) => void;
  /** Ends the run early. */
  readonly signal: AbortSignal;
}

/**
 * Runs tests once at each moment. The clock goes on from there, for the tests, PostgreSQL and the
 * programs that tests start; timers keep the machine's own clock.
 *
 * @returns at how many moments they failed
 */
export async function runAtMoments(options: MomentsOptions): Promise<number> {
  const { library, names, say, signal } = options;
  const folder = await createTemporaryFolder("clocks");
  let failed = 0;
  try {
    const preload = await copyFaketime(library, folder.path);
    for (const moment of moments.filter(({ name }) => names.includes(name))) {
      if (signal.aborted) return failed + 1;
      const startedAt = performance.now();
      const report = path.join(folder.path, "report.json");
      const run = await runVitest({ ...options, moment, preload, report });
      const seconds = Math.round((performance.now() - startedAt) / 1_000);
      say(`${moment.name}: ${run.passed} passed, ${run.failures.length} failed (${seconds} s)`);
      for (const line of run.failures) say(`FAILED ${line}`);
      if (run.failures.length > 0) {
        failed += 1;
        say(run.output);
      }
    }
  } finally {
    await folder.remove();
    await removeSharedMemory();
  }
  return failed;
}

interface Run {
  readonly passed: number;
  readonly failures: readonly string[];
  readonly output: string;
}

async function runVitest(
  order: MomentsOptions & {
    readonly moment: Moment;
    readonly preload: string;
    readonly report: string;
  },
): Promise<Run> {
  const { moment, preload, report, tests, say, signal } = order;
  const offsetSeconds = Math.round((Date.parse(moment.at) - Date.now()) / 1_000);
  const child = spawn(
    process.execPath,
    [
      path.join(checkout, "node_modules/vitest/vitest.mjs"),
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...tests,
    ],
    {
      cwd: checkout,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        TZ: moment.timeZone,
        LD_PRELOAD: preload,
        FAKETIME: `${offsetSeconds < 0 ? "" : "+"}${offsetSeconds}s`,
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
      },
    },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-20_000);
    });
  }
  const startedAt = performance.now();
  const progress = setInterval(() => {
    const minutes = Math.round((performance.now() - startedAt) / 60_000);
    say(`${moment.name}: running for ${minutes} min`);
  }, sayEveryMs);
  // On SIGTERM vitest ends its workers and PostgreSQL.
  const end = (): void => void child.kill("SIGTERM");
  signal.addEventListener("abort", end, { once: true });
  const cap = setTimeout(end, runCapMs);
  const hardCap = setTimeout(() => child.kill("SIGKILL"), runCapMs + 60_000);
  await once(child, "close");
  for (const timer of [progress, cap, hardCap]) clearTimeout(timer);
  signal.removeEventListener("abort", end);
  return { ...(await readReport(report, child.exitCode)), output };
}

async function readReport(file: string, exitCode: number | null): Promise<Omit<Run, "output">> {
  const text = await readFile(file, "utf8").catch(() => null);
  await rm(file, { force: true });
  if (text === null) return { passed: 0, failures: ["vitest ended without a result"] };
  const { numPassedTests: passed, testResults } = result.parse(JSON.parse(text));
  const failures = testResults.flatMap(({ name, status, assertionResults }) => {
    const ofFile = path.relative(checkout, name);
    const tests = assertionResults.filter((test) => test.status === "failed");
    if (tests.length === 0) return status === "failed" ? [`${ofFile} as a whole`] : [];
    return tests.map(({ fullName }) => `${ofFile}: ${fullName}`);
  });
  const isUnexplained = failures.length === 0 && (exitCode !== 0 || passed === 0);
  return { passed, failures: isUnexplained ? ["an error outside of the tests"] : failures };
}

/** Removes faketime's shared memory of killed programs; its names hold their process ids. */
async function removeSharedMemory(): Promise<void> {
  for (const name of await readdir("/dev/shm").catch(() => [])) {
    const id = /^(?:sem\.faketime_sem|faketime_shm)_([0-9]+)$/.exec(name)?.[1];
    if (id === undefined || isRunning(Number(id))) continue;
    await rm(path.join("/dev/shm", name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
