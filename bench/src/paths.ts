import path from "node:path";
import { fileURLToPath } from "node:url";

export const benchFolder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
export const checkout = path.dirname(benchFolder);
/** Compiled programs; safe to delete. */
export const cacheFolder = path.join(checkout, ".cache/bench");
export const resultsFolder = path.join(benchFolder, "results");
export const profilesFolder = path.join(benchFolder, "profiles");
