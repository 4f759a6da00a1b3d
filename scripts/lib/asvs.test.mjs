import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "./root.mjs";

const page = readFileSync(path.join(root, "docs/security/asvs.md"), "utf8");
const rows = page
  .split("\n")
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [number, level, title, verdict, evidence] = line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { number, level, title, verdict, evidence };
  });

test("the table has each of the 253 requirements of both levels once", () => {
  expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length);
  const ofLevel = (wanted) => rows.filter(({ level }) => level === wanted).length;
  expect([rows.length, ofLevel("1"), ofLevel("2")]).toEqual([253, 70, 183]);
  const count = (wanted) => rows.filter(({ verdict }) => verdict === wanted).length;
  expect(page.replaceAll(/\s+/g, " ")).toContain(
    `Of 253 requirements ${count("met")} are met, ${count("not applicable")} do not apply, and ${count("not met")} are not met`,
  );
});

test("each has one of three verdicts; five at most are not met, none of access, sessions, keys or transport", () => {
  const verdicts = new Set(rows.map(({ verdict }) => verdict));
  expect(verdicts).toEqual(new Set(["met", "not applicable", "not met"]));
  const chapters = rows
    .filter(({ verdict }) => verdict === "not met")
    .map(({ number }) => number.split(".")[0]);
  expect(chapters.length).toBeLessThanOrEqual(5);
  expect(chapters.filter((chapter) => ["7", "8", "9", "11", "12"].includes(chapter))).toEqual([]);
});

test("each says why, and every file that it names exists", () => {
  for (const { number, title, evidence } of rows) {
    expect(title, number).not.toBe("");
    expect(evidence, number).not.toBe("");
    for (const [, name] of evidence.matchAll(/`([\w.-]+\/[^`]+|package-lock\.json)`/g)) {
      expect(existsSync(path.join(root, name)), `${number}: ${name}`).toBe(true);
    }
  }
});
