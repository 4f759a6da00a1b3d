import { existsSync } from "node:fs";
import path from "node:path";

const namedPath = /`((?:apps|packages|tests|scripts|docs|bench)\/[\w./-]*\w)\/?`/g;
const link = /\]\(([^)#:]+)(?:#[^)]*)?\)/g;

/**
 * Paths in documents that lead nowhere: links, and what stands in backquotes from the root.
 *
 * @param {{ file: string, text: string }[]} documents
 * @param {string} root folder of the repository
 */
export function deadPaths(documents, root) {
  return documents.flatMap(({ file, text }) => {
    const named = [...text.matchAll(namedPath)].map(([, target]) => target);
    const linked = [...text.matchAll(link)].map(([, target]) =>
      path.join(path.dirname(file), target),
    );
    return [...named, ...linked]
      .filter((target) => !existsSync(path.join(root, target)))
      .map((target) => `${file}: ${target} does not exist`);
  });
}
