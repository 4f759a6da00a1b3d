/**
 * Converts text with § codes to text components as JSON, the form that status and login disconnect
 * take in every version. Source: minecraft.wiki, "Text component
 * format" and "Formatting codes".
 */

export const colours: Readonly<Record<string, string>> = {
  "0": "black",
  "1": "dark_blue",
  "2": "dark_green",
  "3": "dark_aqua",
  "4": "dark_red",
  "5": "dark_purple",
  "6": "gold",
  "7": "gray",
  "8": "dark_gray",
  "9": "blue",
  a: "green",
  b: "aqua",
  c: "red",
  d: "light_purple",
  e: "yellow",
  f: "white",
};

export const styles: Readonly<Record<string, string>> = {
  k: "obfuscated",
  l: "bold",
  m: "strikethrough",
  n: "underlined",
  o: "italic",
};

/** A run of text, or an empty text with runs in `extra`. */
export interface TextComponent {
  text: string;
  [property: string]: string | boolean | TextComponent[];
}

/**
 * @returns an object ready for JSON. A colour resets the styles before it, as in the game; an unknown
 * code is dropped.
 */
export function componentFromText(text: string): TextComponent {
  const parts: TextComponent[] = [];
  let style: Record<string, string | boolean> = {};
  // Text, code, text, code, ..., text.
  for (const [index, piece] of text.split(/§([\s\S]?)/).entries()) {
    if (index % 2 === 1) style = styleAfter(style, piece.toLowerCase());
    else if (piece !== "") parts.push({ text: piece, ...style });
  }
  const only = parts[0];
  if (only === undefined) return { text: "" };
  return parts.length === 1 ? only : { text: "", extra: parts };
}

function styleAfter(
  style: Record<string, string | boolean>,
  code: string,
): Record<string, string | boolean> {
  const colour = colours[code];
  if (colour !== undefined) return { color: colour };
  if (code === "r") return {};
  const kind = styles[code];
  return kind === undefined ? style : { ...style, [kind]: true };
}

/** Text without its § codes. */
export function stripCodes(text: string): string {
  return text.replace(/§[\s\S]?/g, "");
}
