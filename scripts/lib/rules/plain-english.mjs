/**
 * Sentences that the glossary rules out, in documents, comments and texts: banned words, sentences
 * that begin with a relative clause, and references to documents that are not in the repository.
 */

const outsideReferences = [
  /\b[Dd]ecisions? \d+/,
  /\b[Ff]aults? \d+/,
  /\bsections? \d+ of the\b/i,
  /\bshared\/(?:spec|decisions|glossary|stack|style)\b/,
  /\b(?:account|server)-console\.md\b/,
  /^\s*(?:test|it|describe)(?:\.\w+)*\(\s*["'`][^"'`]*[([]\d{1,2}(?:(?:,| and| to) ?\d{1,2})*[)\]]/,
];

/** A title goes on where that of its group ends, so it may begin in lower case. */
const relativeTitle =
  /^\s*(?:test|it|describe)(?:\.\w+(?:\(.*?\))?)*\(\s*["'`](?:who|whose|whoever|whom|what|of|where) [^"'`?]*["'`]/i;

const relativeStart = /(?:^|[.!:;] )(?:Who|Whose|Whoever|Whom|What|Of|Where) [a-z](?![^.!?]*\?)/;

/**
 * @param {{ file: string, text: string }[]} sources
 * @param {Set<string>} banned words and phrases of the glossary
 * @returns {string[]} one line for each place
 */
export function unclearSentences(sources, banned) {
  const bannedWord = new RegExp(`\\b(?:${[...banned].join("|")})\\b`, "i");
  return sources.flatMap(({ file, text }) =>
    text.split("\n").flatMap((line, index) => {
      const at = `${file}:${index + 1}`;
      const prose = proseOf(file, line);
      const found = [];
      const word = bannedWord.exec(line);
      if (word !== null) found.push(`${at}: "${word[0]}"`);
      if (prose !== undefined && relativeStart.test(prose)) found.push(`${at}: ${prose.trim()}`);
      if (relativeTitle.test(line)) found.push(`${at}: ${line.trim()}`);
      for (const pattern of outsideReferences) {
        const reference = pattern.exec(line);
        if (reference !== null)
          found.push(`${at}: refers to a document elsewhere: ${reference[0]}`);
      }
      return found;
    }),
  );
}

/** The sentence part of a line: a document's line, or a comment's. */
function proseOf(file, line) {
  if (file.endsWith(".md"))
    return line.replace(/^(?:[-*>|#\s]|\d+\.)+/, "").replaceAll(" | ", ". ");
  const comment =
    /^\s*(?:\/\*\*?|\*|\/\/|#)\s*(.*?)(?:\*\/)?$/.exec(line) ?? /\s\/\/ (.*)$/.exec(line);
  return comment?.[1];
}
