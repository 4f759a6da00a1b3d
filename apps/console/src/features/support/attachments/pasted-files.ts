import type { ClipboardEvent } from "react";

/**
 * The files of the clipboard, such as a screenshot. A text beside them is what the user wants to paste:
 * programs put a picture of it along.
 */
export function pastedFiles(event: ClipboardEvent): File[] {
  const { files, types } = event.clipboardData;
  if (files.length === 0 || types.includes("text/plain")) return [];
  event.preventDefault();
  return [...files];
}
