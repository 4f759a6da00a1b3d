import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./root.mjs";

/**
 * The packages of the product by the lockfile, without those that only development needs.
 *
 * @returns {{ name: string, version: string, license: string, resolved?: string, integrity?: string }[]}
 */
export function productPackages() {
  const { packages } = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8"));
  return Object.entries(packages)
    .filter(([folder, entry]) => folder.includes("node_modules/") && !entry.link && !entry.dev)
    .map(([folder, entry]) => ({
      name: entry.name ?? folder.slice(folder.lastIndexOf("node_modules/") + 13),
      version: entry.version,
      license: entry.license ?? "",
      resolved: entry.resolved,
      integrity: entry.integrity,
    }));
}
