import { useRouter } from "@tanstack/react-router";
import { useState } from "react";

/**
 * Goes on to the next step once its words could be read; who has gone elsewhere meanwhile stays
 * there.
 */
export function useDelayedRedirect(): (go: () => void, delayMs: number) => void {
  const router = useRouter();
  const [here] = useState(() => router.state.location.pathname);
  return (go, delayMs) => {
    setTimeout(() => {
      if (router.state.location.pathname === here) go();
    }, delayMs);
  };
}
