import path from "node:path";

/** The words of a list below a heading of the glossary: what stands in backquotes there. */
export function glossaryWords(glossary, heading) {
  const section = glossary.split(/^## /m).find((part) => part.startsWith(heading));
  if (section === undefined) throw new Error(`docs/glossary.md has no section "${heading}"`);
  const list = section.slice(section.lastIndexOf("\n\n`"));
  return new Set([...list.matchAll(/`([^`]+)`/g)].map((match) => match[1]));
}

/** `shieldBoard`, `ShieldBoard` and `shield-board` are all: shield, board. */
function wordsOf(name) {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^a-z]+/);
}

const exportedType = /^export (?:abstract |declare )?(?:interface|type|class|enum) (\w+)/gm;

/**
 * Banned words in the names of files, folders and exported types.
 *
 * @param {{ file: string, text: string }[]} sources
 * @param {Set<string>} banned
 */
export function badNames(sources, banned) {
  const worst = (name) => wordsOf(name).find((word) => banned.has(word));
  return sources.flatMap(({ file, text }) => {
    const inPath = file.split(path.sep).map(worst).find(Boolean);
    const found = inPath === undefined ? [] : [`${file}: file name says "${inPath}"`];
    for (const [, name] of text.matchAll(exportedType)) {
      const word = worst(name);
      if (word !== undefined) found.push(`${file}: type ${name} says "${word}"`);
    }
    return found;
  });
}
