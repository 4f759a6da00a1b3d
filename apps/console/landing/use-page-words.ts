import { useEffect } from "react";

/** Title and description in the language shown; the page's file has the English ones. */
export function usePageWords(title: string, description: string): void {
  useEffect(() => {
    document.title = `${title} · Palisade`;
    document.querySelector("meta[name=description]")?.setAttribute("content", description);
  }, [title, description]);
}
