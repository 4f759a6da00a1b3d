import { useEffect, useState, type RefObject } from "react";

type Overflow = "start" | "end" | "both" | null;

/** The sides on which a scrollable row continues. */
export function useOverflow(row: RefObject<HTMLElement | null>): Overflow {
  const [more, setMore] = useState<Overflow>(null);
  useEffect(() => {
    const element = row.current;
    if (!element) return undefined;
    const look = () => setMore(overflowOf(element));
    look();
    const watch = new ResizeObserver(look);
    watch.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      watch.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [row]);
  return more;
}

function overflowOf({ scrollLeft, scrollWidth, clientWidth }: HTMLElement): Overflow {
  // Ignores half pixels of a zoomed page.
  const start = scrollLeft > 1;
  const end = scrollLeft + clientWidth < scrollWidth - 1;
  if (start && end) return "both";
  if (start) return "start";
  return end ? "end" : null;
}
