/** Formatting codes of Minecraft texts: `§` as the game has them, `&` as people type them. */

export interface Run {
  readonly text: string;
  /** Where it begins in the whole text, with its code. */
  readonly at: number;
  /** Colour digit, null for the default colour of the place. */
  readonly color: string | null;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly underlined: boolean;
  readonly struck: boolean;
  readonly obfuscated: boolean;
}

type Style = Omit<Run, "text" | "at">;

const plain: Style = {
  color: null,
  bold: false,
  italic: false,
  underlined: false,
  struck: false,
  obfuscated: false,
};

const formats: Record<string, Partial<Style>> = {
  k: { obfuscated: true },
  l: { bold: true },
  m: { struck: true },
  n: { underlined: true },
  o: { italic: true },
};

/** Splits a text into runs of one style. A colour ends the formats before it, as in the game. */
export function parseCodes(text: string): Run[] {
  const runs: Run[] = [];
  let style = plain;
  let at = 0;
  for (const part of text.split(/(?=[§&][0-9a-fk-or])/i)) {
    const code = /^[§&]([0-9a-fk-or])/i.exec(part)?.[1]?.toLowerCase();
    if (code !== undefined) style = apply(style, code);
    const rest = code === undefined ? part : part.slice(2);
    if (rest !== "") runs.push({ text: rest, at, ...style });
    at += part.length;
  }
  return runs;
}

function apply(style: Style, code: string): Style {
  if (code === "r") return plain;
  const format = formats[code];
  return format ? { ...style, ...format } : { ...plain, color: code };
}
