import { expect, test } from "vitest";
import { entryFiles } from "./entry-sizes.ts";

test("an entry has all it imports; a lazy one only what is not there already", () => {
  const found = entryFiles({
    "index.html": { file: "index.js", isEntry: true, imports: ["_react"], css: ["index.css"] },
    _react: { file: "react.js" },
    "page.tsx": { file: "page.js", isDynamicEntry: true, imports: ["_react", "_form"] },
    _form: { file: "form.js", imports: ["page.tsx"], css: ["form.css"] },
  });
  expect(found).toEqual([
    { name: "index.html", isLazy: false, files: ["index.js", "index.css", "react.js"] },
    { name: "page.tsx", isLazy: true, files: ["page.js", "form.js", "form.css"] },
  ]);
});
