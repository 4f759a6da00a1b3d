import { colours, styles } from "./chat.ts";

/**
 * Converts text components, as servers send them in a status, back to text with § codes. Components
 * are untrusted: the work is bounded by their size and by these limits, and nothing throws.
 */

/** Deeper components are left out. */
const depthMax = 32;

const codeByColour = new Map(Object.entries(colours).map(([code, name]) => [name, code]));

/** Red, green and blue of the colours, in the order of their codes. */
const shades: readonly (readonly [string, number])[] = [
  ["0", 0x000000],
  ["1", 0x0000aa],
  ["2", 0x00aa00],
  ["3", 0x00aaaa],
  ["4", 0xaa0000],
  ["5", 0xaa00aa],
  ["6", 0xffaa00],
  ["7", 0xaaaaaa],
  ["8", 0x555555],
  ["9", 0x5555ff],
  ["a", 0x55ff55],
  ["b", 0x55ffff],
  ["c", 0xff5555],
  ["d", 0xff55ff],
  ["e", 0xffff55],
  ["f", 0xffffff],
];

/** Control characters, halves of surrogate pairs, and marks that change the writing direction. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

interface Style {
  /** Code of the colour; "" for none. */
  readonly colour: string;
  /** Codes of the formats, each once. */
  readonly formats: string;
}

const plain: Style = { colour: "", formats: "" };

export interface TextLimits {
  readonly linesMax: number;
  /** UTF-16 units of each line, codes included; longer lines are cut. */
  readonly charactersMax: number;
}

/**
 * @param component a string, number or boolean, an object with `text` and `extra`, or an array
 *   of these; translations, scores and the like give no text
 * @returns at least one line, each with all the codes it needs; other colours than the sixteen become
 *   the nearest of them
 */
export function textFromComponent(component: unknown, limits: TextLimits): string[] {
  const writer = new LineWriter(limits);
  visit(component, plain, 0, writer);
  return writer.lines;
}

function visit(component: unknown, inherited: Style, depth: number, writer: LineWriter): void {
  if (depth > depthMax || writer.isFull) return;
  if (Array.isArray(component)) {
    // As in the game, the other items inherit the style of the first one.
    const style = isObject(component[0]) ? styleOf(component[0], inherited) : inherited;
    for (const [index, part] of component.entries()) {
      visit(part, index === 0 ? inherited : style, depth + 1, writer);
    }
  } else if (isObject(component)) {
    const style = styleOf(component, inherited);
    writer.write(literal(component["text"]), style);
    const extra = component["extra"];
    if (!Array.isArray(extra)) return;
    for (const part of extra) visit(part, style, depth + 1, writer);
  } else {
    writer.write(literal(component), inherited);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function literal(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

function styleOf(component: Readonly<Record<string, unknown>>, inherited: Style): Style {
  let { colour, formats } = inherited;
  const wanted = component["color"];
  if (typeof wanted === "string") colour = colourCode(wanted) ?? colour;
  for (const [code, name] of Object.entries(styles)) {
    const is = component[name];
    if (is === true && !formats.includes(code)) formats += code;
    if (is === false) formats = formats.replace(code, "");
  }
  return { colour, formats };
}

function colourCode(name: string): string | undefined {
  if (name === "reset") return "";
  if (!/^#[0-9a-f]{6}$/i.test(name)) return codeByColour.get(name);
  return nearestCode(Number.parseInt(name.slice(1), 16));
}

function nearestCode(wanted: number): string {
  let nearest = "f";
  let least = Number.POSITIVE_INFINITY;
  for (const [code, shade] of shades) {
    const away = [16, 8, 0].reduce(
      (sum, bits) => sum + (((wanted >> bits) & 0xff) - ((shade >> bits) & 0xff)) ** 2,
      0,
    );
    if (away < least) [nearest, least] = [code, away];
  }
  return nearest;
}

function styleAfter(code: string, style: Style, base: Style): Style {
  if (code in colours) return { colour: code, formats: "" };
  if (code === "r") return base;
  if (!(code in styles) || style.formats.includes(code)) return style;
  return { colour: style.colour, formats: style.formats + code };
}

class LineWriter {
  readonly lines: string[] = [""];
  readonly #limits: TextLimits;
  /** Codes in force at the end of the last line. */
  #written = "";

  constructor(limits: TextLimits) {
    this.#limits = limits;
  }

  get isFull(): boolean {
    return this.lines.length >= this.#limits.linesMax && this.#isLineFull;
  }

  get #isLineFull(): boolean {
    return (this.lines.at(-1) ?? "").length >= this.#limits.charactersMax;
  }

  /** Codes within `text` apply up to its end. */
  write(text: string, base: Style): void {
    let style = base;
    let isCode = false;
    for (const character of text) {
      if (isCode) style = styleAfter(character.toLowerCase(), style, base);
      else if (character === "\n") {
        if (this.lines.length >= this.#limits.linesMax) return;
        this.lines.push("");
        this.#written = "";
      } else if (character !== "§" && !unprintable.test(character)) this.#put(character, style);
      isCode = !isCode && character === "§";
    }
  }

  #put(character: string, { colour, formats }: Style): void {
    const codes = [...(colour + formats)].map((code) => `§${code}`).join("");
    const piece = change(this.#written, codes, colour !== "") + character;
    const last = this.lines.length - 1;
    const line = this.lines[last] ?? "";
    if (line.length + piece.length > this.#limits.charactersMax) return;
    this.lines[last] = line + piece;
    this.#written = codes;
  }
}

/** The codes that lead from one style to the other; a colour resets all formats before it. */
function change(before: string, after: string, hasColour: boolean): string {
  if (after.startsWith(before)) return after.slice(before.length);
  return hasColour ? after : `§r${after}`;
}
