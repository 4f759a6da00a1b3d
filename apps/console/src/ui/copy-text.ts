import { i18n } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { toast } from "./toasts.tsx";

/** Copies `text` to the clipboard. If the browser refuses, shows a toast and returns false. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    toast("error", i18n._(msg`Your browser did not allow copying. Select the text and copy it.`));
    return false;
  }
}
