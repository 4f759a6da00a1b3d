import { describe, expect, test } from "vitest";
import { groupChain, type LocatedGroup } from "./group-chain.ts";

const group = (id: string, change: Partial<LocatedGroup> = {}): LocatedGroup => ({
  id,
  isDefault: false,
  game: "minecraft",
  location: null,
  ...change,
});
const main = group("main", { isDefault: true });
const frankfurt = group("frankfurt", { location: "frankfurt" });
const london = group("london", { location: "london" });
const everywhere = group("everywhere");
const factorio = group("factorio", { game: "other" });
const all = [factorio, frankfurt, everywhere, main, london];

function chain(location: string | undefined, wanted: string | null = null, groups = all) {
  return groupChain(groups, location, wanted).map(({ id }) => id);
}

describe("groups of a player", () => {
  test.each([
    [
      "the first group of the edge's location, then the default",
      "london",
      null,
      ["london", "main"],
    ],
    ["the default alone where no group names the location", "warsaw", null, ["main"]],
    ["the default alone on an edge that does not know where it is", undefined, null, ["main"]],
    ["the domain's group before the location's", "london", "everywhere", ["everywhere", "main"]],
    ["not the domain's group where it serves elsewhere", "london", "frankfurt", ["london", "main"]],
    ["nor on an edge that does not know", undefined, "frankfurt", ["main"]],
    ["the default once where the domain names it", "london", "main", ["main"]],
    ["never a group that is not Minecraft's", "warsaw", "factorio", ["main"]],
    [
      "the edge's own choice where the domain's group is gone",
      "london",
      "gone",
      ["london", "main"],
    ],
  ])("%s", (_, location, wanted, expected) => {
    expect(chain(location, wanted)).toEqual(expected);
  });

  test("the default group serves edges that no other serves, wherever it is said to be", () => {
    const groups = [{ ...main, location: "london" }, frankfurt];
    expect(chain("warsaw", null, groups)).toEqual(["main"]);
    expect(chain("london", null, groups)).toEqual(["main"]);
    expect(chain("frankfurt", null, groups)).toEqual(["frankfurt", "main"]);
    expect(chain("frankfurt", "main", groups)).toEqual(["frankfurt", "main"]);
  });

  test("without a group for Minecraft there is none", () => {
    expect(chain("london", null, [factorio])).toEqual([]);
  });
});
