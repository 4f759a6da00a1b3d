import { expect, test } from "vitest";
import { refusedLicences } from "./licences.mjs";
import { productPackages } from "./packages.mjs";
import { createSbom } from "./sbom.mjs";

test("the bill of materials names every package of the product once, with version, licence and hash", () => {
  const packages = productPackages();
  const { components } = createSbom({ name: "palisade", version: "1", license: "MIT" }, packages);
  const refs = components.map((component) => component["bom-ref"]);
  expect(new Set(refs).size).toBe(refs.length);
  expect(refs.some((ref) => ref.startsWith("pkg:npm/fastify@"))).toBe(true);
  expect(refs.some((ref) => ref.startsWith("pkg:npm/vitest@"))).toBe(false);
  for (const { name, version, licenses, hashes } of components) {
    expect(version, name).toMatch(/^\d/);
    expect(licenses.length, name).toBe(1);
    expect(hashes?.[0].content, name).toMatch(/^[0-9a-f]{128}$/);
  }
});

test("every licence of the product is accepted, and others are named", () => {
  expect(refusedLicences(productPackages())).toEqual([]);
  const of = (license) => refusedLicences([{ name: "a", version: "1.0.0", license }]).length;
  expect(["GPL-3.0-only", "", "MIT AND GPL-2.0", "SSPL-1.0"].map(of)).toEqual([1, 1, 1, 1]);
  expect(["(BSD-3-Clause OR GPL-2.0)", "Apache-2.0 AND MIT"].map(of)).toEqual([0, 0]);
});
