import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { until } from "@palisade/testing/until";
import type { TestProject } from "vitest/node";
import { createHome, removeHome, startPalisade, supervisorFile } from "./palisade.ts";

/**
 * Vitest global setup: a home in which the product was started once and stopped again. Copies of
 * it save every test file the making of a database of its own.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = await createHome();
  const palisade = await startPalisade(home);
  await palisade.stop();
  // A start leaves these for the people who operate it.
  for (const name of ["run", "logs"]) await rm(path.join(home, name), { recursive: true });
  project.provide("preparedHome", home);
  const sharedHomes = await createHome();
  project.provide("sharedHomes", sharedHomes);
  return async () => {
    await removeHome(home);
    await Promise.all((await readdir(sharedHomes)).map((name) => hasEnded(sharedHomes, name)));
    await removeHome(sharedHomes);
  };
}

/** It ends with the worker that shared it, a moment later. */
async function hasEnded(folder: string, name: string): Promise<void> {
  const pid = await readFile(path.join(folder, name, supervisorFile), "utf8").catch(
    () => undefined,
  );
  if (pid === undefined) return;
  await until(() => !existsSync(`/proc/${pid}`), { what: "the end of a shared product" });
}
