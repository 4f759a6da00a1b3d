import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { inject } from "vitest";
import { createHome } from "./palisade.ts";

declare module "vitest" {
  interface ProvidedContext {
    preparedHome: string;
  }
}

/** A home whose first start was made before; for tests that are not about that start. */
export async function createPreparedHome(): Promise<string> {
  const home = await createHome();
  // Pictures of screens are made outside of the tests.
  if (process.env["VITEST"] === undefined) return home;
  // With the owners: the database's files may be another user's.
  await promisify(execFile)("cp", ["-a", `${inject("preparedHome")}/.`, home]);
  return home;
}
