import { expect, test } from "vitest";
import { blobUrlOf } from "./data-uri.ts";

test("a base64 PNG becomes a blob of the page", () => {
  const url = blobUrlOf("data:image/png;base64,iVBORw0KGgo=");
  expect(url).toMatch(/^blob:/);
  URL.revokeObjectURL(url ?? "");
});

test.each([
  "",
  "https://example.com/icon.png",
  "data:text/html;base64,iVBORw0KGgo=",
  "data:image/svg+xml;base64,iVBORw0KGgo=",
  "data:image/png;base64,===",
])("%s becomes nothing", (uri) => expect(blobUrlOf(uri)).toBeNull());
