import { aimText, isMet, type Row } from "./row.ts";

const heads = ["benchmark", "measure", "unit", "palisade", "others", "ratio", "aim", "", "note"];

/** The rows as a table that is readable as text and as Markdown. */
export function table(rows: readonly Row[]): string {
  const lines = [heads, ...rows.map(cells)];
  const widths = heads.map((_, column) => Math.max(3, ...lines.map((line) => width(line[column]))));
  const [head = "", ...body] = lines.map((line) => {
    const padded = line.map(
      (cell, column) => cell + " ".repeat((widths[column] ?? 0) - width(cell)),
    );
    return `| ${padded.join(" | ")} |`;
  });
  const rule = `| ${widths.map((n) => "-".repeat(n)).join(" | ")} |`;
  return [head, rule, ...body].join("\n");
}

function cells(row: Row): string[] {
  const others = Object.entries(row.others ?? {}).map(([name, n]) => `${name} ${formatValue(n)}`);
  const met = isMet(row);
  return [
    row.benchmark,
    row.measure,
    row.unit,
    row.value === undefined ? "–" : formatValue(row.value),
    others.join(", "),
    row.ratio === undefined ? "" : `${row.ratio.value.toFixed(2)} (${row.ratio.to})`,
    row.aim === undefined ? "" : aimText(row.aim),
    met === undefined ? "" : met ? "met" : "missed",
    row.note ?? "",
  ];
}

/** The value with three significant digits. */
export function formatValue(value: number): string {
  if (Number.isNaN(value)) return "–";
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en");
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}

function width(text = ""): number {
  return [...text].length;
}
