import { expect, test } from "vitest";
import { serverHash } from "./server-hash.ts";

test("the hash of a join is a signed number: the wiki's three names", () => {
  const none = new Uint8Array(0);
  expect(serverHash("Notch", none, none)).toBe("4ed1f46bbe04bc756bcb17c0c7ce3e4632f06a48");
  expect(serverHash("jeb_", none, none)).toBe("-7c9d5b0044c130109a5d7b5fb5c317c02b4e28c1");
  expect(serverHash("simon", none, none)).toBe("88e16a1019277b15d58faf0541e11910eb756f6");
});
