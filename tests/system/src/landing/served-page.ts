/** A public page as the server sends it: what a search engine reads, and a browser without scripts. */
export interface ServedPage {
  readonly html: string;
  readonly language: string | undefined;
  /** Everything that is not markup. */
  readonly texts: string;
  /** Targets as written. */
  readonly links: readonly string[];
}

export async function servedPage(
  consoleUrl: string,
  path: string,
  language: string,
): Promise<ServedPage> {
  const headers = { accept: "text/html", "accept-language": language };
  const html = await (await fetch(`${consoleUrl}${path}`, { headers })).text();
  const [, body = ""] = html.split("<body>");
  return {
    html,
    language: /<html lang="(\w+)"/.exec(html)?.[1],
    texts: decoded(body.replace(/<[^>]*>/g, " ")),
    links: [...body.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = ""]) => decoded(href)),
  };
}

function decoded(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll("&amp;", "&");
}
