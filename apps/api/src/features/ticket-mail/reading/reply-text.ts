import EmailReplyParser from "email-reply-parser";
import { isReplyMarker } from "./reply-marker.ts";
import { findQuoteHeader } from "./quote-headers.ts";
import { signatureLinesMax, withoutSignature } from "./signatures.ts";

/** More is no reply; the library's patterns take long on long texts. */
const parsedCharactersMax = 20_000;

/**
 * The customer's own words: without the mail that they answered, and without a signature.
 * If nothing would be left, the text stays as it is: words must not get lost.
 *
 * May run for very long on hostile texts: the library's patterns backtrack. The caller stops it.
 */
export function cutReply(text: string): string {
  const all = tidyCharacters(text);
  const lines = all.split("\n");
  const marker = lines.findIndex(isReplyMarker);
  if (marker >= 0) {
    const above = visible(lines.slice(0, marker));
    // Written below the quoted mail or between its lines, whatever the marker asked for.
    if (above === "") return visible(lines.filter((line) => !isReplyMarker(line)));
    return above;
  }
  return visible(lines) || all.trim();
}

function visible(lines: readonly string[]): string {
  const header = findQuoteHeader(lines);
  const own = header < 0 ? lines : lines.slice(0, header);
  const parsed = withoutQuotes(own.join("\n"));
  const reply = withoutSignature(parsed.split("\n")).join("\n");
  return reply.replaceAll(/\n{3,}/g, "\n\n").trim();
}

function withoutQuotes(text: string): string {
  if (text.length > parsedCharactersMax) return text;
  return new EmailReplyParser()
    .read(text)
    .getFragments()
    .filter((fragment) => {
      if (!fragment.isHidden()) return true;
      // A line of dashes is a signature to the library: below it may be all of a log.
      const content = fragment.getContent();
      return (
        fragment.isSignature() && !fragment.isQuoted() && countLines(content) > signatureLinesMax
      );
    })
    .map((fragment) => fragment.getContent())
    .join("\n");
}

function countLines(text: string): number {
  return text.trim().split("\n").length;
}

/** PostgreSQL's texts hold no NUL, and signs that cannot be seen mislead readers. */
function tidyCharacters(text: string): string {
  return text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll("\u00A0", " ")
    .replaceAll(/(?![\n\t])\p{Cc}/gu, "")
    .replaceAll(/[\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF\uFFFC]/g, "")
    .toWellFormed()
    .replaceAll(/[ \t]+$/gm, "");
}
