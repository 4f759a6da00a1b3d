import { expect, test } from "vitest";
import { mapItemsModule } from "./map-items.mjs";

test("a row stands for each change of a number, those that the package does not tell too", () => {
  const releases = ["1.7.2", "1.8", "1.13", "1.13.1", "1.13.2", "1.20.5", "26.3"].map((name, n) => [
    name,
    n,
  ]);
  const items = { "1.7.2": 358, 1.8: 358, 1.13: 608, "1.13.1": 608, "1.13.2": 613, "1.20.5": 982 };
  const itemsOf = (release) =>
    items[release] && [
      { name: "map", id: 1 },
      { name: "filled_map", id: items[release] },
    ];
  const mappings = { 0: "custom_data", 26: "map_id" };
  const types = { SlotComponentType: ["mapper", { mappings }] };
  const protocolOf = (release) => (release === "1.20.5" ? { types } : { types: {} });
  const module = mapItemsModule(releases, itemsOf, protocolOf);
  expect(module).toContain(
    'item: versionTable([["1.7.2", 358], ["1.13", 608], ["1.13.1", 613], ["1.20.5", 982], ["26.3", 1238]])',
  );
  expect(module).toContain('idComponent: versionTable([["1.20.5", 26], ["26.3", 48]])');
});
