import { exampleIds } from "@palisade/contract/reference/example-story";
import { expectSound } from "@palisade/system-tests/screens/inspect";
import type { Locator, Page } from "playwright-core";

/** Parts that the tests of the ticket pages share. */

export const support = "/dashboard/support";
export const ticketPath = `${support}/ticket/${exampleIds.shield}`;

export const composer = (page: Page): Locator => page.getByRole("form", { name: "Reply" });
export const replyText = (page: Page): Locator =>
  composer(page).getByRole("textbox", { name: "Your reply" });
export const thread = (page: Page): Locator => page.getByRole("list", { name: "Messages" });

export interface UploadedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

export function textFile(name: string, text = "[12:00:00] Done"): UploadedFile {
  return { name, mimeType: "text/plain", buffer: Buffer.from(text) };
}

export const chooseFiles = (page: Page, files: UploadedFile[]): Promise<void> =>
  page.locator('input[type="file"]').setInputFiles(files);

/** Puts a file on the message as a drop or a paste does. */
export async function bringFile(page: Page, kind: "drop" | "paste", name: string): Promise<void> {
  // Code as text: it runs in the page, whose types this package does not have.
  await page.evaluate(`(() => {
    const data = new DataTransfer();
    data.items.add(new File(["brought"], ${JSON.stringify(name)}, { type: "text/plain" }));
    const place = document.querySelector('textarea[name="message"]');
    const how = { bubbles: true, cancelable: true };
    if (${JSON.stringify(kind)} === "paste") {
      place.dispatchEvent(new ClipboardEvent("paste", { ...how, clipboardData: data }));
      return;
    }
    for (const type of ["dragenter", "dragover", "drop"])
      place.dispatchEvent(new DragEvent(type, { ...how, dataTransfer: data }));
  })()`);
}

export async function expectSoundEverywhere(page: Page, what: string): Promise<void> {
  for (const width of [1440, 390, 320]) {
    await page.setViewportSize({ width, height: 900 });
    await expectSound(page, `${what} at ${width} px`);
  }
}
