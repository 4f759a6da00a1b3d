import { describe, expect, test } from "vitest";
import { deadPaths } from "./dead-paths.mjs";
import { folderCycles } from "./folder-cycles.mjs";
import { badNames, glossaryWords } from "./names.mjs";
import { unclearSentences } from "./plain-english.mjs";
import { strayStatements } from "./sql-in-repositories.mjs";

const inFile = (file, text) => [{ file, text }];

describe("names", () => {
  const banned = new Set(["board", "look"]);

  test("a banned word is found in files, folders and exported types, as a whole word only", () => {
    expect(badNames(inFile("src/attack-board.ts", ""), banned)).toHaveLength(1);
    expect(badNames(inFile("src/board/table.ts", ""), banned)).toHaveLength(1);
    expect(badNames(inFile("a.ts", "export interface DnsLookDeps {"), banned)).toHaveLength(1);
    expect(badNames(inFile("dashboard.ts", "export class DnsLookup {"), banned)).toEqual([]);
  });

  test("the words come from the glossary's list below a heading", () => {
    const glossary = "## Words\n\nNot `these`:\n\n`board` `look`\n`desk`\n\n## Next\n\n`other`\n";
    expect([...glossaryWords(glossary, "Words")]).toEqual(["board", "look", "desk"]);
    expect(() => glossaryWords(glossary, "Missing")).toThrow("Missing");
  });
});

describe("SQL", () => {
  const query = 'return db.selectFrom("users");\nconst rows = sql<number>`select 1`;';

  test("is found outside of repositories, migrations, seeds and tests", () => {
    expect(strayStatements(inFile("apps/api/src/features/a/a.service.ts", query))).toHaveLength(2);
    for (const file of ["src/a.repository.ts", "migrations/1.ts", "seeds/a.ts", "src/a.test.ts"])
      expect(strayStatements(inFile(`apps/api/${file}`, query))).toEqual([]);
  });
});

describe("sentences", () => {
  const find = (text, file = "a.ts") =>
    unclearSentences(inFile(file, text), new Set(["whoever", "nobody"]));

  test("banned words are found in documents, comments and texts", () => {
    expect(find("Nobody can join.", "docs/a.md")).toHaveLength(1);
    expect(find('const text = "for whoever joins";')).toHaveLength(1);
  });

  test("a sentence that begins with a relative clause is found, a question is not", () => {
    expect(find("// What is sent is counted.")).toHaveLength(1);
    expect(find("/** Counts. Of those, one is kept. */")).toHaveLength(1);
    expect(find("// What is sent?")).toEqual([]);
    expect(find('label("What is kept");')).toEqual([]);
  });

  test("a test's title that begins with a relative clause is found", () => {
    expect(find('  test("of two at once one is kept", () => {', "a.test.ts")).toHaveLength(1);
    expect(find('describe("what was kept", () => {', "a.test.ts")).toHaveLength(1);
    expect(find('  test("one of two is kept", () => {', "a.test.ts")).toEqual([]);
  });

  test("references to documents outside of the repository are found", () => {
    for (const text of [
      "// as decision 17 says",
      "// fault 36",
      "// section 8 of the account specification",
      '  test("pays once (51)", () => {',
      '  test("pays once [7, 8]", () => {',
    ])
      expect(find(text)).toHaveLength(1);
    expect(find('  test("keeps the last (of 10)", () => {')).toEqual([]);
  });
});

describe("folders", () => {
  const imports = (source, ...targets) => ({
    source: `apps/api/src/${source}`,
    dependencies: targets.map((target) => ({ resolved: `apps/api/src/${target}` })),
  });

  test("a cycle of folders side by side is found at every level, through any number of folders", () => {
    const found = folderCycles([
      imports("features/a/one.ts", "features/b/two.ts"),
      imports("features/b/other.ts", "features/c/inner/three.ts"),
      imports("features/c/four.ts", "features/a/deep/five.ts"),
    ]);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain("a, b, c");
  });

  test("imports of parents, children and tests are no cycle", () => {
    const modules = [
      imports("features/a/one.ts", "features/a/inner/two.ts", "features/b/three.ts"),
      imports("features/a/inner/two.ts", "features/a/one.ts"),
      imports("features/b/three.test.ts", "features/a/one.ts"),
      imports("compose.ts", "features/a/one.ts"),
      imports("features/a/one.ts", "config.ts"),
    ];
    expect(folderCycles(modules)).toEqual([]);
  });
});

describe("paths in documents", () => {
  test("links and paths from the root must exist", () => {
    const text =
      "See `scripts/check.mjs`, `scripts/gone.mjs`, [a](../README.md) and [b](gone.md#x).";
    const root = new URL("../../..", import.meta.url).pathname;
    expect(deadPaths(inFile("docs/a.md", text), root)).toEqual([
      "docs/a.md: scripts/gone.mjs does not exist",
      "docs/a.md: docs/gone.md does not exist",
    ]);
  });
});
