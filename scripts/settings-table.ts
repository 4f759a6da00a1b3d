// Writes docs/settings.md from the table of settings; with --check it only compares.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { settings } from "@palisade/settings/settings";

const target = fileURLToPath(new URL("../docs/settings.md", import.meta.url));

const rows = Object.entries(settings).map(([name, definition]) => {
  const marks = [
    "secret" in definition ? "secret" : "",
    "requiredInProduction" in definition ? "required in production" : "",
  ].filter((mark) => mark !== "");
  const fallback = definition.fallback ? `\`${definition.fallback}\`` : "none";
  return `| \`${name}\` | ${fallback} | ${definition.programs.join(", ")} | ${definition.description}${marks.length > 0 ? ` (${marks.join(", ")})` : ""} |`;
});

const page = `# Settings

Environment variables, which each program reads and checks at its start. Generated from
\`packages/settings/src/settings.ts\` by \`node scripts/settings-table.ts\`; do not edit.

A setting marked secret may also be in a file, which \`<name>_FILE\` names ([operations/secrets.md](operations/secrets.md)).

| name | default | read by | what it does |
| --- | --- | --- | --- |
${rows.join("\n")}
`;

if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== page) {
    console.error("docs/settings.md is out of date: run node scripts/settings-table.ts");
    process.exitCode = 1;
  }
} else {
  writeFileSync(target, page);
}
