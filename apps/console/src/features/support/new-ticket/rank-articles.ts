interface Searchable {
  readonly title: string;
  /** Words that people use for it, beside those of the title. */
  readonly keywords: string;
}

/** Endings differ ("сервер", "серверу"; "join", "joining"): so many first letters must agree. */
const stemLetters = 5;
const wordLettersMin = 3;
const shownMax = 3;

/** The articles that share most words with the subject, at most three. */
export function rankArticles<A extends Searchable>(articles: readonly A[], subject: string): A[] {
  const asked = new Set(stemsOf(subject));
  if (asked.size === 0) return [];
  return articles
    .map((article) => ({ article, score: scoreOf(article, asked) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, shownMax)
    .map(({ article }) => article);
}

/** A word of the title says more than one of the keywords. */
function scoreOf({ title, keywords }: Searchable, asked: ReadonlySet<string>): number {
  return 2 * shared(title, asked) + shared(keywords, asked);
}

function shared(text: string, asked: ReadonlySet<string>): number {
  return new Set(stemsOf(text).filter((stem) => asked.has(stem))).size;
}

function stemsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .filter((word) => word.length >= wordLettersMin)
    .map((word) => word.replaceAll("ё", "е").slice(0, stemLetters));
}
