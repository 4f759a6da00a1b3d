import { existsSync } from "node:fs";
import { aptInstall } from "./apt.mjs";

const libraries = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map(
  (system) => `/usr/lib/${system}/faketime/libfaketime.so.1`,
);

/**
 * Installs the library that sets a program's clock.
 *
 * @returns its path
 * @throws Stop with the reason where it cannot be installed
 */
export async function ensureFaketime() {
  const find = () => libraries.find((file) => existsSync(file));
  if (find() === undefined) {
    await aptInstall("faketime", { alternative: "Without it no test can run at another time." });
  }
  const library = find();
  if (library === undefined) throw new Error(`faketime is installed without ${libraries[0]}`);
  return library;
}
