import type { Finding } from "./findings.ts";

export interface EdgeState {
  readonly name: string;
  readonly isOnline: boolean;
  readonly appliedRevision: number | null;
  readonly rejectedRevision: number | null;
  readonly reason: string | null;
}

/** Whether the edges of the shield's location are there and run its newest settings. */
export function edgeFindings(
  edges: readonly EdgeState[],
  shield: { readonly status: string; readonly revision: number; readonly location: string },
): Finding[] {
  const findings = edges.map((edge) => judgeEdge(edge, shield.revision));
  if (!edges.some(({ isOnline }) => isOnline)) {
    findings.unshift({ code: "edge.none", name: shield.location, edge: null });
  }
  if (shield.status === "expired" || shield.status === "blocked") {
    findings.unshift({ code: `edge.${shield.status}`, name: shield.location, edge: null });
  }
  return findings;
}

function judgeEdge(edge: EdgeState, newest: number): Finding {
  const about = { name: edge.name, edge: edge.name };
  if (!edge.isOnline) return { code: "edge.offline", ...about };
  const applied = edge.appliedRevision ?? 0;
  const seen = { kind: "revision", values: { applied, newest } } as const;
  if (applied >= newest) return { code: "edge.current", ...about, seen };
  if ((edge.rejectedRevision ?? 0) >= newest) {
    const reason = edge.reason === null ? {} : { seen: literal(edge.reason) };
    return { code: "edge.rejected", ...about, ...reason };
  }
  return { code: "edge.lagging", ...about, seen };
}

function literal(text: string) {
  return { kind: "literal", text } as const;
}
