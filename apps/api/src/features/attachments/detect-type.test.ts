import { zipSync, strToU8 } from "fflate";
import { describe, expect, test } from "vitest";
import { detectType } from "./detect-type.ts";

const bytes = (...values: number[]): Buffer => Buffer.from(values);
const text = (value: string): Buffer => Buffer.from(value);
const zipOf = (...names: string[]): Buffer =>
  Buffer.from(zipSync(Object.fromEntries(names.map((name) => [name, strToU8("content")]))));
const compound = (stream: string): Buffer =>
  Buffer.concat([
    Buffer.from("d0cf11e0a1b11ae1", "hex"),
    Buffer.alloc(512),
    Buffer.from(`${stream}\0`, "utf16le"),
    Buffer.alloc(64),
  ]);

describe("the type of a file", () => {
  test.each([
    ["png", Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(40)]), "a.txt"],
    ["jpeg", bytes(0xff, 0xd8, 0xff, 0xe0, 0, 16), "a.png"],
    ["pdf", text("%PDF-1.7\n%âãÏÓ"), "a.doc"],
    ["doc", compound("WordDocument"), "a.pdf"],
    ["xls", compound("Workbook"), "a.pdf"],
    ["xls", compound("Book"), "old"],
    ["docx", zipOf("[Content_Types].xml", "word/document.xml"), "a.zip"],
    ["xlsx", zipOf("[Content_Types].xml", "xl/workbook.xml"), "a.zip"],
    ["zip", zipOf("logs/latest.log"), "a.docx"],
    ["text", text("[12:00:01] Привет\r\n\tat x"), "latest.log"],
    ["csv", text("name;ip\nNotch;203.0.113.7\n"), "players.CSV"],
    ["text", text("<html><script>alert(1)</script>"), "page.html"],
  ] as const)("%s is told by its bytes, whatever its name", (type, content, name) => {
    expect(detectType(content, name)).toBe(type);
  });

  test.each([
    ["nothing", Buffer.alloc(0)],
    ["a program", Buffer.from("4d5a90000300000004000000ffff0000", "hex")],
    ["an ELF program", Buffer.from("7f454c4602010100", "hex")],
    ["GIF", text("GIF89a\u0001\u0000")],
    ["text in another encoding", Buffer.from("cff0e8e2e5f2", "hex")],
    ["text with an escape sequence", text("\u001b[31mred")],
    ["text with a NUL", text("a\0b")],
    ["a compound file of another program", compound("MsiSummary")],
    ["RAR", text("Rar!\u001a\u0007\u0001\u0000")],
    ["a page named as a PDF", text("<html><script>alert(1)</script>")],
    ["a page before a PDF", Buffer.concat([bytes(0), text("<html>%PDF-1.7")])],
  ])("%s is refused", (_, content) => {
    expect(detectType(content, "report.pdf")).toBeNull();
  });

  test("an SVG is text, and refused where it is named as a picture", () => {
    const svg = text("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>");
    expect(detectType(svg, "icon.svg")).toBe("text");
    for (const name of ["icon.png", "icon.JPG", "icon.jpeg"]) {
      expect(detectType(svg, name)).toBeNull();
    }
  });
});

describe("an archive", () => {
  const archive = zipOf("a.txt", "b.txt");

  test("with something before or behind it is refused", () => {
    expect(detectType(archive, "a.zip")).toBe("zip");
    expect(detectType(Buffer.concat([archive, text("<script>")]), "a.zip")).toBeNull();
    expect(detectType(Buffer.concat([text("#!/bin/sh\0\n"), archive]), "a.zip")).toBeNull();
  });

  test("cut anywhere is refused, and never read beyond its end", () => {
    for (let length = 0; length < archive.length; length += 1) {
      const cut = archive.subarray(0, length);
      expect(detectType(cut, "a.zip") === "zip", `${length} bytes`).toBe(false);
    }
  });

  test("that would unpack to gigabytes, or whose entries share bytes, is refused", () => {
    const bomb = Buffer.from(archive);
    const directory = bomb.indexOf(Buffer.from("504b0102", "hex"));
    bomb.writeUInt32LE(0x7fffffff, directory + 24);
    expect(detectType(bomb, "a.zip")).toBeNull();

    const overlapping = Buffer.from(archive);
    const second = overlapping.indexOf(Buffer.from("504b0102", "hex"), directory + 4);
    overlapping.writeUInt32LE(0, second + 42);
    expect(detectType(overlapping, "a.zip")).toBeNull();
  });

  test("with any byte of its directory changed is a ZIP or refused, and never an error", () => {
    const start = archive.indexOf(Buffer.from("504b0102", "hex"));
    for (let at = start; at < archive.length; at += 1) {
      for (const value of [0, 0x7f, 0xff]) {
        const odd = Buffer.from(archive);
        odd[at] = value;
        expect(["zip", null]).toContain(detectType(odd, "a.zip"));
      }
    }
  });
});
