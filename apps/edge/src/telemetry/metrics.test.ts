import { readFile } from "node:fs/promises";
import { afterEach, describe, expect, test } from "vitest";
import { startTestEdge, type TestEdge } from "#src/testing/test-edge.ts";

let edge: TestEdge | undefined;
afterEach(() => edge?.stop());

describe("metrics of the edge", () => {
  test("are exactly those that the operator's page describes", async () => {
    edge = await startTestEdge();
    const url = new URL("../../../../docs/operations/edge-metrics.md", import.meta.url);
    const page = await readFile(url, "utf8");
    const described = [...page.matchAll(/^\| `(palisade_\w+)`/gm)].map(([, name]) => name);
    const names = edge.metrics.getMetricsAsArray().map(({ name }) => name);
    const own = names.filter((name) => name.startsWith("palisade_"));
    expect(described.toSorted()).toEqual(own.toSorted());
    expect(names).toContain("process_resident_memory_bytes");
  });
});
