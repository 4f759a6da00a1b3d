// Writes the software bill of materials (CycloneDX 1.6) to standard output: npm run --silent sbom > sbom.json
import { readFileSync } from "node:fs";
import path from "node:path";
import { createSbom } from "./lib/sbom.mjs";
import { productPackages } from "./lib/packages.mjs";
import { root } from "./lib/root.mjs";

const product = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
process.stdout.write(`${JSON.stringify(createSbom(product, productPackages()), null, 2)}\n`);
