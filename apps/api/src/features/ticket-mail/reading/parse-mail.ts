import { MailParser, type AttachmentStream, type HeaderLines, type MessageText } from "mailparser";
import { textOfHtml } from "./html-text.ts";
import type { MailFile, ReadingOptions, ReadMail } from "./read-mail.ts";
import { cutReply } from "./reply-text.ts";

/** A header block of a part; real ones have some 30 KiB, with all their signatures. */
const headBytesMax = 128 * 1024;
/** Parts of a mail, at whatever depth. */
const partsMax = 100;
/** More files are not even named. */
const filesNamedMax = 20;
/** Pictures of signatures, and those that only tell the sender that a mail was opened. */
const decorationBytesMax = 8 * 1024;
/** Longer texts are cut before anything looks at them. */
const textCharactersMax = 200_000;

/** Signatures of mails, which are no files to their reader. */
const hiddenTypes = new Set([
  "application/pgp-signature",
  "application/pkcs7-signature",
  "application/x-pkcs7-signature",
]);

/**
 * Reads a mail. For a thread of its own: mails are written by strangers, and reading one may take
 * long or much memory.
 *
 * @throws where the mail is beyond a limit
 */
export async function parseMail(source: Uint8Array, options: ReadingOptions): Promise<ReadMail> {
  const parser = new MailParser({
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipImageLinks: true,
    ignoreEmbedded: true,
    keepDeliveryStatus: true,
    checksumAlgo: false,
    maxHeadSize: headBytesMax,
    maxChildNodes: partsMax,
  });
  let headers: ReadMail["headers"] = {};
  let text = "";
  const files: MailFile[] = [];
  parser.on("headerLines", (lines: HeaderLines) => (headers = readHeaders(lines)));
  const done = new Promise<void>((resolve, reject) => {
    parser.on("error", reject);
    parser.on("end", resolve);
    parser.on("data", (part: AttachmentStream | MessageText) => {
      if (part.type === "text") text = textOf(part);
      else readFile(part, files, options).catch(reject);
    });
  });
  parser.end(source);
  await done;
  return {
    headers,
    from: addressesOf(parser.from?.value),
    recipients: [parser.to, parser.cc].flat().flatMap((list) => addressesOf(list?.value)),
    mailId: readMailId(parser.messageId),
    subject: (parser.subject ?? "").slice(0, 200),
    text: cutReply(text.slice(0, textCharactersMax)),
    files,
  };
}

function textOf({ text, html }: MessageText): string {
  if (text !== undefined && text.trim() !== "") return text;
  return typeof html === "string" ? textOfHtml(html) : "";
}

async function readFile(
  part: AttachmentStream,
  files: MailFile[],
  { filesMax, fileBytesMax }: ReadingOptions,
): Promise<void> {
  const isKept = !hiddenTypes.has(part.contentType) && files.length < filesNamedMax;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of part.content) {
    bytes += (chunk as Buffer).length;
    if (isKept && files.length < filesMax && bytes <= fileBytesMax) chunks.push(chunk as Buffer);
  }
  if (isKept && !(part.related === true && bytes <= decorationBytesMax)) {
    const isWhole = files.length < filesMax && bytes <= fileBytesMax;
    files.push({ name: part.filename ?? "", content: isWhole ? Buffer.concat(chunks) : null });
  }
  part.release?.();
}

function readHeaders(lines: HeaderLines): Record<string, string[]> {
  const read: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (const { key, line } of lines) {
    const value = line.slice(line.indexOf(":") + 1).replaceAll(/\r?\n[ \t]+/g, " ");
    (read[key] ??= []).push(value.trim());
  }
  return read;
}

interface ParsedAddress {
  readonly address?: string | undefined;
  readonly group?: readonly ParsedAddress[] | undefined;
}

function addressesOf(list: readonly ParsedAddress[] | undefined): string[] {
  return (list ?? []).flatMap(({ address, group }) => [
    ...(address === undefined || address === "" ? [] : [address.toLowerCase()]),
    ...addressesOf(group),
  ]);
}

/** Goes into a header of our answers: nothing but what an id may hold. */
function readMailId(id: string | undefined): string | null {
  return id !== undefined && /^<[\x21-\x3B\x3D\x3F-\x7E]{1,250}>$/.test(id) ? id : null;
}
