import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { inject } from "vitest";
import { createHome } from "./palisade.ts";

declare module "vitest" {
  interface ProvidedContext {
    preparedHome: string;
    /** The homes in it are removed after the last test. */
    sharedHomes: string;
  }
}

/** A home whose first start was made before; for tests that are not about that start. */
export async function createPreparedHome(): Promise<string> {
  const home = await createHome();
  // Pictures of screens are made outside of the tests.
  if (process.env["VITEST"] !== undefined) await prepare(home);
  return home;
}

/** The same, for a product that is never stopped. */
export async function createSharedHome(): Promise<string> {
  const home = await createTemporaryFolder("shared", inject("sharedHomes"));
  await prepare(home.path);
  return home.path;
}

async function prepare(home: string): Promise<void> {
  // With the owners: the database's files may be another user's.
  await promisify(execFile)("cp", ["-a", `${inject("preparedHome")}/.`, home]);
}
