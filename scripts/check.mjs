// npm run check: types, lint, format, dependency rules, unused code and generated documents.
// Runs every step, then fails if one did; CI shows all of them at once.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ensureDependencies } from "./lib/install.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const fixture = "tests/fixtures/dependency-rules";

await ensureDependencies({ dev: true });

/** Tools are called by path: npx may swallow their flags. Node 24 is the first `node` on this PATH. */
const bin = `${root}node_modules/.bin`;
const env = { ...process.env, PATH: `${bin}:${process.env.PATH ?? ""}` };

function run(command, args) {
  return spawnSync(`${bin}/${command}`, args, { cwd: root, env, encoding: "utf8" });
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

const sources = ["apps", "packages", "tests/console", "tests/system", "bench"].filter((path) =>
  existsSync(root + path),
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
