/**
 * The software bill of materials as CycloneDX 1.6. It has no time and no random serial number, so that
 * the same lockfile gives the same file.
 *
 * @param {{ name: string, version: string, license: string }} product
 * @param {{ name: string, version: string, license: string, resolved?: string, integrity?: string }[]} packages
 */
export function createSbom(product, packages) {
  const components = new Map(packages.map((each) => [purlOf(each), componentOf(each)]));
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": purlOf(product),
        name: product.name,
        version: product.version,
        licenses: licencesOf(product.license),
      },
    },
    components: [...components.keys()].toSorted().map((purl) => components.get(purl)),
  };
}

function componentOf({ name, version, license, resolved, integrity }) {
  const slash = name.indexOf("/");
  const purl = purlOf({ name, version });
  return {
    type: "library",
    "bom-ref": purl,
    ...(slash > 0 && { group: name.slice(0, slash) }),
    name: name.slice(slash + 1),
    version,
    licenses: licencesOf(license),
    purl,
    ...(integrity?.startsWith("sha512-") && {
      hashes: [
        { alg: "SHA-512", content: Buffer.from(integrity.slice(7), "base64").toString("hex") },
      ],
    }),
    ...(resolved && { externalReferences: [{ type: "distribution", url: resolved }] }),
  };
}

/** An SPDX id has a field of its own; combinations are expressions. */
function licencesOf(license) {
  if (!license) return [];
  return [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }];
}

/** The @ of a scope is escaped in a package URL. */
function purlOf({ name, version }) {
  return `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;
}
