import path from "node:path";
import { attachmentTypes, type AttachmentType } from "@palisade/contract/http/attachment-rules";
import { listZip } from "./zip-directory.ts";

const png = Buffer.from("89504e470d0a1a0a", "hex");
const jpeg = Buffer.from("ffd8ff", "hex");
const pdf = Buffer.from("%PDF-", "latin1");
/** Compound File Binary ([MS-CFB] 2.2): the files of Office until 2003. */
const compound = Buffer.from("d0cf11e0a1b11ae1", "hex");
const zip = Buffer.from("504b0304", "hex");

/** The stream that makes a compound file one of Word or of Excel ([MS-DOC] 2.1, [MS-XLS] 2.1). */
const wordStream = Buffer.from("WordDocument", "utf16le");
const excelStreams = ["Workbook", "Book"].map((name) => Buffer.from(`${name}\0`, "utf16le"));

/** Extensions of files that are no text. */
const binaryExtensions = new Set<string>(
  Object.entries(attachmentTypes).flatMap(([type, { extensions }]) =>
    type === "text" || type === "csv" ? [] : extensions,
  ),
);

/**
 * The type of a file by its bytes; null for one that is not taken. Only for text the name counts, too:
 * it tells CSV, and text that calls itself a picture or an archive is refused. Nothing is unpacked.
 */
export function detectType(bytes: Buffer, name: string): AttachmentType | null {
  if (startsWith(bytes, png)) return "png";
  if (startsWith(bytes, jpeg)) return "jpeg";
  if (startsWith(bytes, pdf)) return "pdf";
  if (startsWith(bytes, compound)) return compoundType(bytes);
  if (startsWith(bytes, zip)) return zipType(bytes);
  if (!isText(bytes)) return null;
  const extension = path.extname(name).slice(1).toLowerCase();
  if (binaryExtensions.has(extension)) return null;
  return extension === "csv" ? "csv" : "text";
}

function startsWith(bytes: Buffer, magic: Buffer): boolean {
  return bytes.subarray(0, magic.length).equals(magic);
}

function compoundType(bytes: Buffer): AttachmentType | null {
  if (bytes.includes(wordStream)) return "doc";
  return excelStreams.some((stream) => bytes.includes(stream)) ? "xls" : null;
}

function zipType(bytes: Buffer): AttachmentType | null {
  const names = listZip(bytes);
  if (names === null) return null;
  if (!names.has("[Content_Types].xml")) return "zip";
  if (names.has("word/document.xml")) return "docx";
  return names.has("xl/workbook.xml") ? "xlsx" : "zip";
}

/** UTF-8 without control characters, apart from tabs and ends of lines. */
function isText(bytes: Buffer): boolean {
  if (bytes.length === 0) return false;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return false;
  }
  // oxlint-disable-next-line no-control-regex -- these are what it looks for
  return !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(text);
}
