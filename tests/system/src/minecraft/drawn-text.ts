/** A piece of text as the game draws it: the same look throughout. */
interface Run {
  readonly text: string;
  readonly color: string;
  readonly styles: string;
}

interface Look {
  readonly color: string;
  readonly styles: readonly string[];
}

const plain: Look = { color: "", styles: [] };
const colourNames =
  "black dark_blue dark_green dark_aqua dark_red dark_purple gold gray dark_gray blue green aqua red light_purple yellow white".split(
    " ",
  );
const styleNames = new Map([
  ["k", "obfuscated"],
  ["l", "bold"],
  ["m", "strikethrough"],
  ["n", "underlined"],
  ["o", "italic"],
]);

/** The runs of text that the game draws for an owner's text with § codes. */
export function drawnText(text: string): Run[] {
  const runs: Run[] = [];
  let look = plain;
  for (const [index, piece] of `§r${text}`.split("§").entries()) {
    if (index === 0) continue;
    const code = (piece[0] ?? "").toLowerCase();
    const colour = "0123456789abcdef".indexOf(code);
    const style = styleNames.get(code);
    if (code === "r") look = plain;
    else if (colour >= 0 && code !== "") look = { color: colourNames[colour] ?? "", styles: [] };
    else if (style !== undefined) look = { ...look, styles: [...look.styles, style] };
    draw(runs, piece.slice(1), look);
  }
  return runs;
}

/** The runs of text that the game draws for a text component, from JSON or NBT, with its § codes. */
export function drawnComponent(component: unknown, outer: Look = plain): Run[] {
  const runs: Run[] = [];
  if (typeof component === "string") return drawnComponent({ text: component }, outer);
  if (Array.isArray(component)) {
    for (const part of component) append(runs, drawnComponent(part, outer));
    return runs;
  }
  if (typeof component !== "object" || component === null) throw new Error("No component");
  const of = new Map(Object.entries(component));
  const isOn = (style: string): boolean =>
    of.has(style) ? of.get(style) === true || of.get(style) === 1 : outer.styles.includes(style);
  const look = {
    color: String(of.get("color") ?? outer.color),
    styles: [...styleNames.values()].filter(isOn),
  };
  const text = String(of.get("text") ?? "");
  if (text.includes("§")) append(runs, drawnText(text));
  else draw(runs, text, look);
  const extra: unknown = of.get("extra") ?? [];
  append(runs, drawnComponent(Array.isArray(extra) ? extra : [extra], look));
  return runs;
}

function append(runs: Run[], more: readonly Run[]): void {
  for (const { text, color, styles } of more) {
    draw(runs, text, { color, styles: styles === "" ? [] : styles.split(" ") });
  }
}

function draw(runs: Run[], text: string, { color, styles }: Look): void {
  if (text === "") return;
  const run = { text, color, styles: styles.toSorted().join(" ") };
  const last = runs.at(-1);
  if (last?.color === run.color && last.styles === run.styles) {
    runs[runs.length - 1] = { ...last, text: last.text + text };
  } else runs.push(run);
}
