import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./root.mjs";

/** Packages that name their licence in their LICENSE file alone. A new version has to be looked at again. */
const licenceFiles = { "png-js@2.0.0": "MIT" };

/**
 * The packages of the product by the lockfile, without those that only development needs.
 *
 * @returns {{ name: string, version: string, license: string, resolved?: string, integrity?: string }[]}
 */
export function productPackages() {
  const { packages } = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8"));
  return Object.entries(packages)
    .filter(([folder, entry]) => folder.includes("node_modules/") && !entry.link && !entry.dev)
    .map(([folder, entry]) => {
      const name = entry.name ?? folder.slice(folder.lastIndexOf("node_modules/") + 13);
      return {
        name,
        version: entry.version,
        license: entry.license ?? licenceFiles[`${name}@${entry.version}`] ?? "",
        resolved: entry.resolved,
        integrity: entry.integrity,
      };
    });
}
