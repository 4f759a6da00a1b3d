import { expect, test } from "vitest";
import { entryFiles } from "./entry-sizes.ts";

const page = `<script src="/boot.js"></script>
  <script type="module" crossorigin src="/react.js"></script>
  <script type="module" crossorigin src="/index.js"></script>
  <link rel="stylesheet" href="/index.css"><link rel="icon" href="/icon.svg">`;

test("a page has all the files it names; a lazy part only those that no page has", () => {
  const given = {
    _react: { file: "react.js" },
    "page.tsx": { file: "page.js", isDynamicEntry: true, imports: ["_react", "_form"] },
    _form: { file: "form.js", imports: ["page.tsx"], css: ["form.css"] },
  };
  expect(entryFiles(given, new Map([["index.html", page]]))).toEqual([
    { name: "index.html", isLazy: false, files: ["boot.js", "react.js", "index.js", "index.css"] },
    { name: "page.tsx", isLazy: true, files: ["page.js", "form.js", "form.css"] },
  ]);
});
