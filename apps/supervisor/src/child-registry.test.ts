import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createChildRegistry, endOrphans } from "./child-registry.ts";
import { processStartTime } from "./process-start-time.ts";
import { readRunFile, writeRunFile } from "./run-files.ts";
import { until } from "@palisade/testing/until";

const progress = { say: () => undefined };
let home: string;

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "palisade-children-"));
});

afterEach(() => rm(home, { recursive: true }));

async function sleeper(): Promise<number> {
  const child = spawn("sleep", ["60"]);
  await once(child, "spawn");
  return child.pid ?? 0;
}

describe("the children of a killed supervisor", () => {
  test("are killed when they do not stop by themselves", async () => {
    const pid = await sleeper();
    createChildRegistry(home).track("api", pid, true);
    await until(async () => (await readRunFile(home, "children"))?.length === 1);
    await endOrphans(home, progress, 50);
    expect(await processStartTime(pid)).toBeUndefined();
    expect(await readRunFile(home, "children")).toBeUndefined();
  });

  test("are left alone when their pid belongs to another process by now", async () => {
    const pid = await sleeper();
    await writeRunFile(home, "children", [{ program: "api", pid, startTime: "1" }]);
    await endOrphans(home, progress, 50);
    expect(await processStartTime(pid)).toBeDefined();
    process.kill(pid);
  });
});
