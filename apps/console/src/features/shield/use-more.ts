import { useEffect, useState, type RefObject } from "react";

type More = "start" | "end" | "both" | null;

/** On which side of a row that can be scrolled there is more of it. */
export function useMore(row: RefObject<HTMLElement | null>): More {
  const [more, setMore] = useState<More>(null);
  useEffect(() => {
    const element = row.current;
    if (!element) return undefined;
    const look = () => setMore(moreOf(element));
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

function moreOf({ scrollLeft, scrollWidth, clientWidth }: HTMLElement): More {
  // Half pixels of a zoomed page are not more.
  const start = scrollLeft > 1;
  const end = scrollLeft + clientWidth < scrollWidth - 1;
  if (start && end) return "both";
  if (start) return "start";
  return end ? "end" : null;
}
