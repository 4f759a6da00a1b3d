import type { DoctorFinding } from "@palisade/contract/http/server-setup";
import { describe, expect, test } from "vitest";
import { countOutcomes, groupFindings, mendingSection } from "./findings.ts";

function finding(changes: Partial<DoctorFinding>): DoctorFinding {
  return {
    subject: "backend",
    name: "203.0.113.5:25565",
    edge: "fra-1",
    outcome: "ok",
    code: "backend.online",
    title: "Your server answers",
    fix: null,
    seen: null,
    ...changes,
  };
}

describe("findings", () => {
  test("are sorted by a player's way to the server", () => {
    const groups = groupFindings([
      finding({ subject: "bedrock" }),
      finding({ subject: "version" }),
      finding({ subject: "backend" }),
      finding({ subject: "dns", edge: null }),
    ]);
    const order = ["dns", "backend", "version", "bedrock"];
    expect(groups.map(({ subject }) => subject)).toEqual(order);
  });

  test("are grouped by edge; findings without an edge come first", () => {
    const [group] = groupFindings([
      finding({ edge: "waw-1" }),
      finding({ edge: "fra-1" }),
      finding({ edge: null }),
      finding({ edge: "waw-1" }),
    ]);
    expect(group?.edges.map(({ edge, findings }) => [edge, findings.length])).toEqual([
      [null, 1],
      ["fra-1", 1],
      ["waw-1", 2],
    ]);
  });

  test("an edge's most severe finding comes first, and none is lost", () => {
    const outcomes = ["ok", "unknown", "failed", "warning"] as const;
    const [group] = groupFindings(outcomes.map((outcome) => finding({ outcome })));
    expect(group?.edges[0]?.findings.map(({ outcome }) => outcome)).toEqual([
      "failed",
      "warning",
      "unknown",
      "ok",
    ]);
  });

  test("are counted by outcome", () => {
    const findings = [finding({}), finding({ outcome: "failed" }), finding({ outcome: "failed" })];
    expect(countOutcomes(findings)).toEqual({ failed: 2, warning: 0, unknown: 0, ok: 1 });
  });

  test("about Bedrock lead to the section that mends them; those that are well lead nowhere", () => {
    expect(mendingSection("bedrock.proxy_required")).toBe("backends");
    expect(mendingSection("bedrock.timeout")).toBe("bedrock-geyser");
    expect(mendingSection("bedrock.online")).toBeUndefined();
  });
});
