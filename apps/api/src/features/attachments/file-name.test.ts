import { expect, test } from "vitest";
import { contentDisposition, safeFileName } from "./file-name.ts";

test.each([
  ["report.pdf", "pdf", "report.pdf"],
  ["photo.JPEG", "jpeg", "photo.jpeg"],
  ["../../etc/passwd", "text", "passwd.txt"],
  ["..\\..\\windows\\system32\\config.txt", "text", "config.txt"],
  ["C:\\Users\\anna\\screen.png", "png", "screen.png"],
  ["server.properties", "text", "server.properties.txt"],
  ["invoice.pdf.exe", "pdf", "invoice.pdf.exe.pdf"],
  ["gnp.exe\u202e.txt", "png", "gnp.exe.txt.png"],
  ["a\r\nContent-Type: text/html\r\n\r\n.png", "png", "html.png"],
  ["nul\0.png", "png", "nul.png"],
  ["e\u0301.png", "png", "\u00e9.png"],
  ["...", "png", "file.png"],
  ["", "zip", "file.zip"],
  [".png", "png", "png.png"],
  ['a"b<c>|?*.csv', "csv", "a_b_c____.csv"],
] as const)("%j of type %s is kept as %j", (given, type, kept) => {
  expect(safeFileName(given, type)).toBe(kept);
});

test("a long name is cut to 255 bytes without cutting a character, and keeps its extension", () => {
  const name = safeFileName(`${"ж".repeat(300)}.docx`, "docx");
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
  expect(name).toMatch(/^ж{120,}\.docx$/);
});

test("a header names the file in ASCII and in UTF-8, and never has a line break in it", () => {
  expect(contentDisposition("attachment", 'Отчёт "1".pdf')).toBe(
    "attachment; filename=\"_____ _1_.pdf\"; filename*=UTF-8''%D0%9E%D1%82%D1%87%D1%91%D1%82%20%221%22.pdf",
  );
  expect(contentDisposition("inline", "a\r\nb.png")).not.toMatch(/[\r\n]/);
});
