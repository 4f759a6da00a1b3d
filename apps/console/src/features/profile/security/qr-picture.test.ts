import { expect, test } from "vitest";
import { qrPictureUrl } from "./qr-picture.ts";

test.each([
  "data:image/png;base64,iVBORw0KGgo=",
  "data:image/svg+xml;base64,PHN2Zy8+",
  "data:image/svg+xml,%3Csvg%2F%3E",
  "data:image/svg+xml;charset=utf-8,%3Csvg%2F%3E",
])("%s becomes a blob of the page", (uri) => {
  const url = qrPictureUrl(uri);
  expect(url).toMatch(/^blob:/);
  URL.revokeObjectURL(url ?? "");
});

test.each(["", "https://example.com/qr.png", "data:text/html,x", "data:image/svg+xml,%E0%A4%A"])(
  "%j becomes nothing",
  (uri) => expect(qrPictureUrl(uri)).toBeNull(),
);
