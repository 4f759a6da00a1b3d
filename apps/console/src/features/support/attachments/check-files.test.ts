import { attachmentBytesMax } from "@palisade/contract/http/attachment-rules";
import { describe, expect, test } from "vitest";
import { acceptedFiles, checkFiles, fileShares } from "./check-files.ts";

function file(name: string, { bytes = 3, type = "", at = 1 } = {}): File {
  const made = new File(["abc"], name, { type, lastModified: at });
  Object.defineProperty(made, "size", { value: bytes });
  return made;
}

describe.each([
  ["ticket", ["a.png", "a.JPEG", "a.jpg", "a.pdf", "a.txt", "a.doc", "a.docx", "a.zip"]],
  ["reply", ["a.png", "a.jpeg", "a.jpg", "a.txt", "a.csv", "a.xls", "a.xlsx"]],
] as const)("a %s", (form, names) => {
  test.each(names)("takes %s", (name) => {
    expect(checkFiles(form, [], [file(name)]).errors).toEqual([]);
  });

  test.each(["a.exe", "a.svg", "a.png.exe", "png", ".htaccess"])("refuses %s", (name) => {
    const { files, errors } = checkFiles(form, [], [file(name)]);
    expect(files).toEqual([]);
    expect(errors).toEqual([{ key: "attachment.type", file: name }]);
  });

  test("offers only what it takes in the browser's dialog", () => {
    expect(acceptedFiles(form).split(",")).toContain(".png");
    expect(acceptedFiles(form)).not.toContain("exe");
  });
});

test("files of one form alone are refused by the other", () => {
  expect(checkFiles("reply", [], [file("a.pdf")]).errors).toHaveLength(1);
  expect(checkFiles("ticket", [], [file("a.csv")]).errors).toHaveLength(1);
});

test("a file without an ending is told by the type that the browser gives it", () => {
  expect(checkFiles("reply", [], [file("image", { type: "image/png" })]).errors).toEqual([]);
});

test("a file may have 10 MB and not one byte more", () => {
  const fits = file("a.png", { bytes: attachmentBytesMax });
  const over = file("b.png", { bytes: attachmentBytesMax + 1 });
  const { files, errors } = checkFiles("ticket", [], [fits, over]);
  expect(files).toEqual([fits]);
  expect(errors).toEqual([{ key: "attachment.too_big", file: "b.png" }]);
});

test("the same name, size and time is a duplicate; another time is not", () => {
  const held = [file("a.png")];
  expect(checkFiles("ticket", held, [file("a.png")]).errors).toEqual([
    { key: "attachment.duplicate", file: "a.png" },
  ]);
  expect(checkFiles("ticket", held, [file("a.png", { at: 2 })]).errors).toEqual([]);
});

test("five files are taken, and one sentence refuses all others", () => {
  const many = Array.from({ length: 7 }, (_, n) => file(`${n}.png`));
  const { files, errors } = checkFiles("ticket", [], many);
  expect(files).toEqual(many.slice(0, 5));
  expect(errors).toEqual([{ key: "attachment.max", file: "5.png" }]);
});

test("files are sent one after another", () => {
  const files = [file("a.png", { bytes: 100 }), file("b.png", { bytes: 300 })];
  expect(fileShares(files, 0.5)).toEqual([1, 1 / 3]);
  expect(fileShares(files, 1)).toEqual([1, 1]);
});
