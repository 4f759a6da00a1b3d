import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../root.mjs";
import { deadPaths } from "./dead-paths.mjs";
import { badNames, glossaryWords } from "./names.mjs";
import { unclearSentences } from "./plain-english.mjs";
import { strayStatements } from "./sql-in-repositories.mjs";

const glossaryFile = "docs/glossary.md";
const fixtures = "tests/fixtures/";

/**
 * What the glossary says of names, SQL and sentences, held against tracked files.
 *
 * @param {string} [folder] only files below it; the known-bad fixtures are read only when named
 * @returns {{ names: string[], statements: string[], sentences: string[], paths: string[] }} one
 *   line for each place
 */
export function languageFindings(folder = "") {
  const glossary = readFileSync(path.join(root, glossaryFile), "utf8");
  const files = trackedFiles(folder).filter((file) => folder !== "" || !file.startsWith(fixtures));
  const code = read(files.filter((file) => /\.(?:ts|tsx|mjs)$/.test(file) && !isMigration(file)));
  const prose = read(files.filter(holdsSentences));
  return {
    names: badNames(code, glossaryWords(glossary, "Words that names do not use")),
    statements: strayStatements(code),
    sentences: unclearSentences(prose, glossaryWords(glossary, "Words that sentences do not use")),
    paths: deadPaths(
      prose.filter(({ file }) => file.endsWith(".md")),
      root,
    ),
  };
}

/** Names of migrations are stored in databases. */
function isMigration(file) {
  return file.includes("/migrations/");
}

function holdsSentences(file) {
  const isRule = file === glossaryFile || file.startsWith("scripts/lib/rules/");
  return /\.(?:ts|tsx|mjs|cjs|js|md|css|html|po|sh|c)$/.test(file) && !isRule;
}

function trackedFiles(folder) {
  const listed = spawnSync("git", ["ls-files", "-co", "--exclude-standard", "-z", `./${folder}`], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return listed.stdout
    .split("\0")
    .filter((file) => file !== "" && existsSync(path.join(root, file)));
}

function read(files) {
  return files.map((file) => ({ file, text: readFileSync(path.join(root, file), "utf8") }));
}
