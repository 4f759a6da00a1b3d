import { stat } from "node:fs/promises";
import path from "node:path";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { until } from "@palisade/testing/until";
import { Client } from "pg";
import { expect, test } from "vitest";
import { runDatabase } from "./database.ts";
import { openLogFile } from "./log-file.ts";
import { readRunFile } from "./run-files.ts";

async function currentUser(url: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<{ name: string }>("SELECT current_user AS name")).rows[0]?.name;
  } finally {
    await client.end();
  }
}

test("a killed PostgreSQL comes back under the same URLs, which only the owner can read", async () => {
  const folder = await createTemporaryFolder("database");
  const home = folder.path;
  const log = openLogFile(home, "postgres");
  const said: string[] = [];
  const database = await runDatabase(home, log, { say: (line) => said.push(line) });
  try {
    const before = await readRunFile(home, "database");
    expect((await stat(path.join(home, "run/database.json"))).mode & 0o777).toBe(0o600);
    for (const round of [1, 2]) {
      process.kill((await readRunFile(home, "database"))?.pid ?? 0, "SIGKILL");
      await until(() => said.filter((line) => line === "PostgreSQL is back").length === round);
    }
    expect(await currentUser(database.runtimeUrl)).toBe("palisade_app");
    const after = await readRunFile(home, "database");
    expect(after).toEqual({ ...before, pid: expect.any(Number) });
    expect(after?.pid).not.toBe(before?.pid);
  } finally {
    await database.stop();
    log.close();
  }
  await expect(currentUser(database.runtimeUrl)).rejects.toThrow("ENOENT");
  expect(await readRunFile(home, "database")).toBeUndefined();
  await folder.remove();
});
