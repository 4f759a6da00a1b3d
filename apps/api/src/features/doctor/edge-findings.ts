import type { Finding } from "./findings.ts";

export interface EdgeState {
  readonly name: string;
  readonly isOnline: boolean;
  readonly appliedRevision: number | null;
  readonly rejectedRevision: number | null;
  readonly reason: string | null;
  /** Null: the edge has not reported it; likewise below. */
  readonly vpnLists: boolean | null;
  readonly countries: boolean | null;
  readonly networks: boolean | null;
}

/** Settings of the shield need these on each edge; the finding is for an edge that lacks it. */
const needs = [
  ["vpnLists", "edge.no_vpn_lists"],
  ["countries", "edge.no_countries"],
  ["networks", "edge.no_networks"],
] as const;

export type EdgeNeeds = Readonly<Record<(typeof needs)[number][0], boolean>>;

/** Whether the edges of the shield's location are online, run its newest settings and can act on them. */
export function edgeFindings(
  edges: readonly EdgeState[],
  shield: {
    readonly status: string;
    readonly revision: number;
    readonly location: string;
    readonly needs: EdgeNeeds;
  },
): Finding[] {
  const findings = edges.map((edge) => judgeEdge(edge, shield.revision));
  for (const [what, code] of needs) {
    const without = edges.filter((edge) => edge.isOnline && edge[what] === false);
    if (shield.needs[what]) {
      findings.push(...without.map(({ name }): Finding => ({ code, name, edge: name })));
    }
  }
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
