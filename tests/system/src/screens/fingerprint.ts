export interface Fingerprint {
  readonly structure: string;
  readonly colours: readonly string[];
}

/** The code of the elements with these `colours`, on the page where they were read last. */
export function elementsOf(colours: readonly string[]): string {
  return `{ include: ${JSON.stringify(colours)}.map((colour) => [coloured.get(colour)]) }`;
}

/**
 * A program for the page. It answers with `structure`, which is the same for pages that differ in
 * words, addresses, ids and theme alone, and with `colours`, one for each element that has text of
 * its own: what it and the elements around it are, in this theme. Both hold for one width.
 */
export const fingerprint = `(() => {
  const byWords = new Set(["aria-label", "title", "alt", "placeholder", "content", "href", "src"]);
  const byIds = /^(id|name|value|d)$/;
  const pointers = new Set(["for", "aria-labelledby", "aria-describedby", "aria-controls",
    "aria-owns", "aria-activedescendant"]);
  const isThere = (id) => Number(document.getElementById(id) !== null);
  const hash = (text, seed) => {
    let high = 0xdeadbeef ^ seed;
    let low = 0x41c6ce57 ^ seed;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      high = Math.imul(high ^ code, 2654435761);
      low = Math.imul(low ^ code, 1597334677);
    }
    return (high >>> 0) * 2097152 + ((low >>> 0) & 2097151);
  };
  const attributesOf = (element) =>
    Array.from(element.attributes, ({ name, value }) => {
      if (element === document.documentElement) return name === "lang" ? "lang" : "";
      if (pointers.has(name)) return name + value.trim().split(/\\s+/).map(isThere).join("");
      if (byIds.test(name) || byWords.has(name)) return name + (value.trim() === "" ? "" : "=…");
      const isMeasure = name === "style" && !/color|background/.test(value);
      return name + "=" + (isMeasure ? value.replace(/[\\d.]+/g, "#") : value);
    }).sort().join(" ");
  const theme = document.documentElement.getAttribute("data-mantine-color-scheme");
  const colours = new Map();
  const visit = (element, above) => {
    const state = [element.labels?.length > 0, element.checked, element.disabled, element === document.activeElement,
      typeof element.value === "string" && element.value !== ""].map(Number).join("");
    const own = element.localName + " " + attributesOf(element) + " " + state;
    const chain = hash(own, above);
    const hasText = Array.from(element.childNodes).some(
      (node) => node.nodeType === 3 && node.data.trim() !== "");
    if (hasText || state.endsWith("1") || element.hasAttribute("placeholder")) {
      const colour = theme + " " + innerWidth + " " + chain;
      if (!colours.has(colour)) colours.set(colour, element);
    }
    let all = own + (hasText ? "T" : "") + "(";
    for (const child of element.children) {
      if (["script", "style", "path", "g", "rect", "line"].includes(child.localName)) continue;
      all += visit(child, chain) + ",";
    }
    return hash(all, 7);
  };
  const structure = visit(document.documentElement, 0);
  globalThis.coloured = colours;
  return {
    structure: innerWidth + " " + structure,
    colours: Array.from(colours.keys()),
  };
})()`;
