import { htmlToText } from "html-to-text";

/** More markup than this is no letter. */
const htmlCharactersMax = 1_000_000;

/**
 * The text that a reader of the HTML sees. Scripts and styles are no text, and nothing is loaded;
 * quoted mails begin each line with `>`, as in texts.
 */
export function textOfHtml(html: string): string {
  return htmlToText(html.slice(0, htmlCharactersMax), {
    wordwrap: false,
    limits: { maxDepth: 200, maxChildNodes: 5_000, maxInputLength: htmlCharactersMax },
    selectors: [
      { selector: "img", format: "skip" },
      { selector: "a", options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
      { selector: "h1", options: { uppercase: false } },
      { selector: "h2", options: { uppercase: false } },
      { selector: "h3", options: { uppercase: false } },
      { selector: "h4", options: { uppercase: false } },
      { selector: "h5", options: { uppercase: false } },
      { selector: "h6", options: { uppercase: false } },
      { selector: "table", options: { uppercaseHeaderCells: false } },
      { selector: "hr", format: "skip" },
      { selector: "title", format: "skip" },
    ],
  });
}
