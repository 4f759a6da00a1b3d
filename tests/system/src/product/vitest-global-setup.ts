import { rm } from "node:fs/promises";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { createHome, removeHome, startPalisade } from "./palisade.ts";

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
  return () => removeHome(home);
}
