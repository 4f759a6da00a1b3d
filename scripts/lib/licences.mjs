/**
 * Licences under which packages may become part of the product, which is Apache-2.0. MPL-2.0 holds for
 * its own files only; OFL-1.1 is for fonts, CC-BY-4.0 for data of the build.
 */
const accepted = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC-BY-4.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "OFL-1.1",
  "Unlicense",
]);

/**
 * @param {{ name: string, version: string, license: string }[]} packages
 * @returns {string[]} a sentence for each package whose licence is not accepted
 */
export function refusedLicences(packages) {
  return packages
    .filter(({ license }) => !isAccepted(license))
    .map(
      ({ name, version, license }) =>
        `${name}@${version}: the licence ${license || "(none)"} is not accepted (scripts/lib/licences.mjs)`,
    );
}

/** One of several alternatives (OR) is enough; licences that hold together (AND) must all be accepted. */
function isAccepted(expression) {
  const plain = expression.replaceAll(/[()]/g, "");
  return plain
    .split(" OR ")
    .some((alternative) => alternative.split(" AND ").every((each) => accepted.has(each.trim())));
}
