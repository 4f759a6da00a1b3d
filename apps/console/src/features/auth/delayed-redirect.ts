import { useRouter } from "@tanstack/react-router";
import { useState } from "react";

/** Redirects after a delay in which the message can be read, unless the user has left the page. */
export function useDelayedRedirect(): (redirect: () => void, delayMs: number) => void {
  const router = useRouter();
  const [here] = useState(() => router.state.location.pathname);
  return (redirect, delayMs) => {
    setTimeout(() => {
      if (router.state.location.pathname === here) redirect();
    }, delayMs);
  };
}
