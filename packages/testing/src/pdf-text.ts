import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";

/** The text of each page, as a reader of the PDF finds it; spaces and lines are single spaces. */
export async function pdfPages(pdf: Uint8Array): Promise<string[]> {
  // It takes the bytes for itself.
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 });
  const document = await task.promise;
  try {
    const pages: string[] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      const { items } = await (await document.getPage(number)).getTextContent();
      const text = items.map((item) =>
        "str" in item ? `${item.str}${item.hasEOL ? " " : ""}` : "",
      );
      pages.push(text.join("").replaceAll(/\s+/g, " ").trim());
    }
    return pages;
  } finally {
    await task.destroy();
  }
}
