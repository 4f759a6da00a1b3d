import { useLayoutEffect, useRef, type RefObject } from "react";

/**
 * For a button that removes its row: when it goes and has the keyboard's focus, the next row's button
 * gets it, or the start of the list.
 *
 * @returns the button's `ref`; its element needs `data-remove`
 */
export function useFocusAfterRemoval(isRemoving = true): RefObject<HTMLButtonElement | null> {
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const button = ref.current;
    // Runs before the row is removed from the page.
    return () => {
      if (!isRemoving || button === null || button !== document.activeElement) return;
      nextFocusOf(button)?.focus();
    };
  }, [isRemoving]);
  return ref;
}

/** The start of a list: its heading, a button in it, or the field that adds an entry. */
const beginnings = "h2, h3, form input";

function nextFocusOf(button: HTMLElement): HTMLElement | null {
  const row = button.closest("li, tr");
  for (const neighbour of [row?.nextElementSibling, row?.previousElementSibling]) {
    const next = neighbour?.querySelector<HTMLElement>("[data-remove]");
    if (next) return next;
  }
  for (let place = row?.parentElement ?? null; place !== null; place = place.parentElement) {
    const beginning = place.querySelector<HTMLElement>(beginnings);
    if (beginning === null || row?.contains(beginning)) continue;
    const inside = beginning.querySelector("button");
    if (inside !== null) return inside;
    if (!beginning.matches("input")) beginning.tabIndex = -1;
    return beginning;
  }
  return null;
}
