import { formatUuid } from "@palisade/minecraft-protocol/java/uuid";
import { describe, expect, test } from "vitest";
import { offlineUuid, serverHash } from "./hashes.ts";

describe("names for a player and for a join", () => {
  test("the UUID of offline mode is that of real servers", () => {
    expect(formatUuid(offlineUuid("Notch"))).toBe("b50ad385-829d-3141-a216-7e7d7539ba7f");
    expect(formatUuid(offlineUuid("Steve_01"))).toBe("e4270dab-5764-390b-8cc6-0cf94d9aeee9");
  });

  test("the hash of a join is a signed number: the wiki's three names", () => {
    const none = new Uint8Array(0);
    expect(serverHash("Notch", none, none)).toBe("4ed1f46bbe04bc756bcb17c0c7ce3e4632f06a48");
    expect(serverHash("jeb_", none, none)).toBe("-7c9d5b0044c130109a5d7b5fb5c317c02b4e28c1");
    expect(serverHash("simon", none, none)).toBe("88e16a1019277b15d58faf0541e11910eb756f6");
  });
});
