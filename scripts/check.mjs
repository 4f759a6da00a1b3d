// npm run check: types, lint, format, dependency rules, the glossary, unused code and generated
// documents.
// Runs every step, then fails if one did; CI shows all of them at once.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { ensureDependencies } from "./lib/install.mjs";
import { root } from "./lib/root.mjs";
import { folderCycles } from "./lib/rules/folder-cycles.mjs";
import { languageFindings } from "./lib/rules/language.mjs";

const fixture = "tests/fixtures/dependency-rules";
const ruleFixture = "tests/fixtures/check-rules";

await ensureDependencies({ dev: true });

/** Tools are called by path: npx may swallow their flags. Node 24 is the first `node` on this PATH. */
const bin = `${root}/node_modules/.bin`;
const env = { ...process.env, PATH: `${bin}:${process.env.PATH ?? ""}` };

function run(command, args) {
  const maxBuffer = 256 * 1024 * 1024;
  return spawnSync(`${bin}/${command}`, args, { cwd: root, env, encoding: "utf8", maxBuffer });
}

function passes(command, args) {
  const result = run(command, args);
  return { ok: result.status === 0, output: result.stdout + result.stderr };
}

/** The known-bad fixture must break every rule by name; otherwise the rules check nothing. */
function everyDependencyRuleBites() {
  const result = run("depcruise", ["--config", ".dependency-cruiser.cjs", "-T", "json", fixture]);
  const { summary } = JSON.parse(result.stdout);
  const broken = new Set(summary.violations.map((violation) => violation.rule.name));
  const silent = summary.ruleSetUsed.forbidden.filter((rule) => !broken.has(rule.name));
  return {
    ok: silent.length === 0,
    output: silent.map((rule) => `rule ${rule.name} does not fail on ${fixture}\n`).join(""),
  };
}

function modulesOf(folders) {
  const result = run("depcruise", [
    "--config",
    ".dependency-cruiser.cjs",
    "-T",
    "json",
    ...folders,
  ]);
  return JSON.parse(result.stdout).modules;
}

function findsNothing(lines) {
  return { ok: lines.length === 0, output: lines.map((line) => `${line}\n`).join("") };
}

let language;

/** Reads all files once. */
function languageOfAll() {
  language ??= languageFindings();
  return language;
}

/** The planted name, cycle, statement and sentences must be found; otherwise the rules check nothing. */
function everyLanguageRuleBites() {
  const { names, statements, sentences } = languageFindings(ruleFixture);
  const planted = [
    { what: "a file's and a type's name", found: names, wanted: 2 },
    { what: "a statement in a service", found: statements, wanted: 1 },
    { what: "two unclear words and two references elsewhere", found: sentences, wanted: 4 },
    { what: "a cycle of folders", found: folderCycles(modulesOf([ruleFixture])), wanted: 1 },
  ];
  return findsNothing(
    planted
      .filter(({ found, wanted }) => found.length !== wanted)
      .map(({ what, found, wanted }) => `${what}: ${wanted} planted, found ${found.length}`),
  );
}

const sources = ["apps", "packages", "tests/console", "tests/system", "bench"].filter((path) =>
  existsSync(`${root}/${path}`),
);

/** @type {[name: string, step: () => { ok: boolean; output: string }][]} */
const steps = [
  ["types", () => passes("tsc", ["-p", "tsconfig.json"])],
  ["types of the console", () => passes("tsc", ["-p", "apps/console"])],
  ["lint", () => passes("oxlint", ["--type-aware", "--deny-warnings"])],
  ["format", () => passes("oxfmt", ["--check", "."])],
  [
    "dependency rules",
    () => passes("depcruise", ["--config", ".dependency-cruiser.cjs", ...sources]),
  ],
  ["dependency rules bite", everyDependencyRuleBites],
  ["no folder cycles", () => findsNothing(folderCycles(modulesOf(sources)))],
  ["names of the glossary", () => findsNothing(languageOfAll().names)],
  ["SQL in repositories", () => findsNothing(languageOfAll().statements)],
  ["plain English", () => findsNothing(languageOfAll().sentences)],
  ["paths in documents exist", () => findsNothing(languageOfAll().paths)],
  ["rules of folders and language bite", everyLanguageRuleBites],
  ["unused code", () => passes("knip", ["--no-progress"])],
  ["settings table up to date", () => passes("node", ["scripts/settings-table.ts", "--check"])],
];

const failed = [];
for (const [name, step] of steps) {
  const started = performance.now();
  const { ok, output } = step();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${ok ? "ok    " : "FAILED"} ${name} (${seconds} s)`);
  if (!ok) {
    console.log(output.trimEnd());
    failed.push(name);
  }
}
if (failed.length > 0) {
  console.log(`check: ${failed.join(", ")} failed`);
  process.exitCode = 1;
}
