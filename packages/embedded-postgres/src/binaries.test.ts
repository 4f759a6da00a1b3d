import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { locatePackage, prepareBinaries } from "./binaries.ts";
import { postgresIdentity } from "./identity.ts";

const links = ["lib/libicuuc.so.60", "lib/libpq.so.5"];
const identity = postgresIdentity();

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "palisade-binaries-"));
  await chmod(folder, 0o755);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** A package as npm leaves it with --ignore-scripts. */
async function packageWithoutLinks(parent: string): Promise<string> {
  const copy = path.join(parent, "package");
  await cp(locatePackage(), copy, { recursive: true, verbatimSymlinks: true });
  for (const link of links) {
    await rm(path.join(copy, "native", link), { force: true });
  }
  return copy;
}

async function versionPrinted(binaries: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    path.join(binaries, "bin/postgres"),
    ["--version"],
    identity === undefined ? {} : { ...identity },
  );
  return stdout;
}

describe("the PostgreSQL programs", () => {
  test("run after an installation without install scripts", async () => {
    const packageFolder = await packageWithoutLinks(folder);
    const binaries = await prepareBinaries(packageFolder, folder, identity);
    expect(binaries).toBe(path.join(packageFolder, "native"));
    expect(await versionPrinted(binaries)).toContain("PostgreSQL");
  });

  test.skipIf(identity === undefined)(
    "are copied for root when other users cannot enter their folder (needs root)",
    async () => {
      const closed = path.join(folder, "closed");
      await mkdir(closed, { mode: 0o700 });
      const packageFolder = await packageWithoutLinks(closed);
      const binaries = await prepareBinaries(packageFolder, folder, identity);
      expect(path.dirname(binaries)).toBe(folder);
      expect(await versionPrinted(binaries)).toContain("PostgreSQL");
      const copied = await stat(binaries);
      expect(await prepareBinaries(packageFolder, folder, identity)).toBe(binaries);
      expect((await stat(binaries)).ino).toBe(copied.ino);
    },
  );
});
