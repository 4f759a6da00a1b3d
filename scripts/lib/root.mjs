import path from "node:path";
import { fileURLToPath } from "node:url";

/** Folder of the repository. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** Caches of the scripts: stamps and locks; ignored by git and safe to delete. */
export const cacheFolder = path.join(root, ".cache");

/** Node's compile cache; the supervisor uses the same for its programs. */
export const compileCache = path.join(cacheFolder, "node-compile");
