interface Searchable {
  readonly title: string;
  /** Words that people use for it, beside those of the title. */
  readonly keywords: string;
}

/** Endings differ ("сервер", "серверу"; "join", "joining"): so many first letters must agree. */
const stemLetters = 5;
/** A shorter word is compared whole. */
const stemLettersMin = 4;
const wordLettersMin = 3;
const shownMax = 3;

/** The articles that share most words with the subject, at most three. */
export function rankArticles<A extends Searchable>(articles: readonly A[], subject: string): A[] {
  const asked = wordsOf(subject);
  if (asked.length === 0) return [];
  return articles
    .map((article) => ({ article, score: scoreOf(article, asked) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, shownMax)
    .map(({ article }) => article);
}

/** A word of the title says more than one of the keywords. */
function scoreOf({ title, keywords }: Searchable, asked: readonly string[]): number {
  return 2 * shared(title, asked) + shared(keywords, asked);
}

function shared(text: string, asked: readonly string[]): number {
  const words = wordsOf(text);
  return asked.filter((each) => words.some((word) => areForms(word, each))).length;
}

function areForms(one: string, other: string): boolean {
  const letters = Math.min(one.length, other.length, stemLetters);
  if (letters < stemLettersMin) return one === other;
  return one.slice(0, letters) === other.slice(0, letters);
}

/** Each once. */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const long = words.filter((word) => word.length >= wordLettersMin);
  return [...new Set(long.map((word) => word.replaceAll("ё", "е")))];
}
