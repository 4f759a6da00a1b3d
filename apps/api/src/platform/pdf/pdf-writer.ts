import type { Locale } from "@palisade/contract/texts/locale";
import type PdfKit from "pdfkit";
import { documentFonts, drawnLine } from "./pdf-fonts.ts";

export const margin = 50;
export const page = { width: 595.28, height: 841.89 };
export const right = page.width - margin;
/** Below it is the footer. */
const bottom = page.height - 80;
export const gap = 10;
/** The lines of a text that stay together at the end of a page. */
export const linesAtOnce = 20;
export const grey = "#555555";
const line = "#bbbbbb";

export type Pdf = InstanceType<typeof PdfKit>;

/** An empty A4 document, and its bytes once it has ended. */
export async function createPdf(
  locale: Locale,
  about: { readonly title: string; readonly author: string; readonly at: Date },
): Promise<{ readonly pdf: Pdf; readonly bytes: Promise<Buffer> }> {
  // Loaded with the first document: it and its fonts take as long as a tenth of the api.
  const { default: Document } = await import("pdfkit");
  const pdf = new Document({
    size: "A4",
    // Text below the margin would begin a page of its own: the footer is there.
    margins: { top: margin, left: margin, right: margin, bottom: 0 },
    bufferPages: true,
    lang: locale,
    displayTitle: true,
    info: { Title: about.title, Author: drawnLine(about.author), CreationDate: about.at },
  });
  pdf.registerFont("regular", documentFonts.regular).registerFont("bold", documentFonts.bold);
  const chunks: Buffer[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  pdf.on("data", (chunk: Buffer) => chunks.push(chunk));
  pdf.on("end", () => resolve(Buffer.concat(chunks)));
  pdf.on("error", reject);
  return { pdf, bytes: promise };
}

/** Writes downwards, and continues on a new page where something does not fit. */
export class PdfWriter {
  readonly pdf: Pdf;
  y = margin;
  pages = 1;

  constructor(pdf: Pdf) {
    this.pdf = pdf;
  }

  /** The height that a text takes in a width. */
  heightOf(
    text: string,
    width: number,
    size: number,
    font: "regular" | "bold" = "regular",
  ): number {
    return this.pdf
      .font(font)
      .fontSize(size)
      .heightOfString(text || " ", { width });
  }

  put(
    text: string,
    at: { readonly x: number; readonly y: number; readonly width: number },
    style: {
      readonly size: number;
      readonly font?: "regular" | "bold";
      readonly align?: "left" | "right";
      readonly color?: string;
    },
  ): void {
    const { size, font = "regular", align = "left", color = "#000000" } = style;
    this.pdf
      .font(font)
      .fontSize(size)
      .fillColor(color)
      .text(text, at.x, at.y, { width: at.width, align });
  }

  /** Parts of a text that are at most `lines` high each, cut between words where there are any. */
  split(text: string, width: number, size: number, lines: number): string[] {
    const most = lines * this.heightOf("x", width, size) + 1;
    const parts: string[] = [];
    let part = "";
    for (const word of text.match(/\S{1,60}\s*|\s+/gu) ?? [""]) {
      if (part !== "" && this.heightOf(part + word, width, size) > most) {
        parts.push(part.trimEnd());
        part = "";
      }
      part += word;
    }
    return [...parts, part];
  }

  /** @returns whether a new page was begun */
  reserve(height: number): boolean {
    if (this.y + height <= bottom) return false;
    this.pdf.addPage();
    this.pages += 1;
    this.y = margin;
    return true;
  }

  rule(): void {
    this.pdf.moveTo(margin, this.y).lineTo(right, this.y).lineWidth(0.5).stroke(line);
    this.y += 6;
  }
}

export function writeLines(
  writer: PdfWriter,
  lines: readonly string[],
  at: { readonly x: number; readonly width: number },
): void {
  for (const each of lines.flatMap((text) => writer.split(text, at.width, 9, linesAtOnce))) {
    const height = writer.heightOf(each, at.width, 9);
    writer.reserve(height);
    writer.put(each, { ...at, y: writer.y }, { size: 9 });
    writer.y += height + 2;
  }
}
