import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HomeInUseError, lockHome } from "./home-lock.ts";

const self = { program: "a test", endsSoon: false };

let folder: string;
let home: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "palisade-lock-"));
  home = path.join(folder, "home");
});

afterEach(() => rm(folder, { recursive: true }));

describe("the lock on a home", () => {
  test("is refused to a second process with the name of the first, by any path", async () => {
    const lock = await lockHome(home, self);
    const link = path.join(folder, "link");
    await symlink(home, link);
    await expect(lockHome(link, self)).rejects.toThrow(
      `is in use by a test (pid ${process.pid}). Stop it, or set PALISADE_HOME`,
    );
    await lock.release();
  });

  test("does not block another home", async () => {
    const lock = await lockHome(home, self);
    const other = lockHome(path.join(folder, "other"), self);
    await expect(other).resolves.toHaveProperty("release");
    await lock.release();
    await (await other).release();
  });

  test("is free again when its holder was killed", async () => {
    const module = JSON.stringify(import.meta.resolve("./home-lock.ts"));
    const holder = spawn(
      process.execPath,
      [
        "--input-type=module",
        "--eval",
        `import { lockHome } from ${module};
         await lockHome(${JSON.stringify(home)}, { program: "the killed", endsSoon: false });
         console.log("locked");
         setInterval(() => undefined, 1_000);`,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    await once(createInterface({ input: holder.stdout }), "line");
    await expect(lockHome(home, self)).rejects.toBeInstanceOf(HomeInUseError);
    holder.kill("SIGKILL");
    await once(holder, "exit");
    const lock = await lockHome(home, self);
    await lock.release();
  });

  test("is waited for while its holder is about to end", async () => {
    const first = await lockHome(home, self);
    first.announceEnd();
    const second = lockHome(home, self);
    await first.release();
    await expect(second).resolves.toHaveProperty("release");
    await (await second).release();
  });
});
