import { readdir, readFile } from "node:fs/promises";

const folder = new URL("../../../deploy/monitoring/", import.meta.url);

/** Every expression of the dashboards and alert rules for Prometheus, with the place it is in. */
export async function monitoringExpressions(): Promise<{ place: string; expr: string }[]> {
  const found: { place: string; expr: string }[] = [];
  for (const name of await readdir(new URL("dashboards/", folder))) {
    const text = await readFile(new URL(`dashboards/${name}`, folder), "utf8");
    const { panels } = JSON.parse(text) as {
      panels: { title: string; targets: { expr: string }[] }[];
    };
    for (const { title, targets } of panels) {
      for (const { expr } of targets) found.push({ place: `${name}: ${title}`, expr });
    }
  }
  const rules = await readFile(new URL("rules.yml", folder), "utf8");
  for (const [, alert = "", expr = ""] of rules.matchAll(/alert: (\w+)\s+expr: (.+)/g)) {
    found.push({ place: alert, expr: expr.replaceAll(/^['"]|['"]$/g, "").replaceAll('\\"', '"') });
  }
  return found;
}

/** Names of metrics in an expression: words that are no function, label or keyword of PromQL. */
export function metricsIn(expr: string): string[] {
  const bare = expr
    .replaceAll(/"[^"]*"/g, "")
    .replaceAll(/\{[^}]*\}/g, "")
    .replaceAll(/\[[^\]]*\]/g, "")
    .replaceAll(/\b(?:by|on|without)\s*\([^)]*\)/g, "");
  const words = bare.match(/[a-z_][a-z0-9_:]*\b(?!\s*\()/g) ?? [];
  return words.filter((word) => word.includes("_") || word === "up");
}

/** As Prometheus names the series of a histogram or a summary. */
export function seriesOf(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => [name, `${name}_bucket`, `${name}_count`, `${name}_sum`]));
}
